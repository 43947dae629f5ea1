// Everybody sees every edit: a stream of edits and of people, which comes back by itself.

export class Live {
  /** @param hands edited(edit), present(members), lost(), back(), ended() */
  constructor(address, hands) {
    this.stream = new EventSource(address);
    const told = (name, act) => this.stream.addEventListener(name, (event) => act(JSON.parse(event.data)));
    told("edit", hands.edited);
    told("presence", ({ members }) => hands.present(members));
    this.stream.addEventListener("end", () => {
      this.stream.close();
      hands.ended();
    });
    this.stream.addEventListener("open", () => this.isLost && hands.back((this.isLost = false)));
    this.stream.addEventListener("error", () => this.lost(address, hands));
    addEventListener("pagehide", () => this.stream.close());
  }

  /** A browser gives up after an answer that is an error: then a new stream is opened after a while. */
  lost(address, hands) {
    if (!this.isLost) hands.lost();
    this.isLost = true;
    if (this.stream.readyState !== EventSource.CLOSED) return;
    setTimeout(() => {
      const again = new Live(address, hands);
      again.isLost = true;
    }, 3000);
  }
}
