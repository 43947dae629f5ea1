// A game that goes on: every new step is read; a reader who looks back stays where he is.

export class Live {
  constructor(viewer, source, sign) {
    this.viewer = viewer;
    this.stream = source.stream(viewer.viewer, viewer.timeline.last);
    sign.hidden = false;
    this.stream.addEventListener("commit", () => this.newer());
    this.stream.addEventListener("end", () => {
      this.stream.close();
      location.reload();
    });
  }

  /** What comes while it reads is read afterwards, all at once. */
  async newer() {
    if (this.isReading) return (this.isStale = true);
    this.isReading = true;
    do {
      this.isStale = false;
      await this.viewer.grow();
    } while (this.isStale);
    this.isReading = false;
  }
}
