// Looking closer at a map that grows: by wheel, by two fingers, by + and -; a drag moves it, 0 shows all of it again.

const STEP = 1.25, MOST = 6; // one press or notch; so much larger than the whole at most
const SLIP = 6; // pixels: a press that moves no further is a press

export class Zoom {
  /** @param {Board} board whose view it narrows */
  constructor(board) {
    this.board = board;
    this.scale = 1;
    this.covered = { top: 0, bottom: 0 };
    this.pointers = new Map();
    const { svg } = board;
    this.onresize = null; // told that there may be more room, or less
    new ResizeObserver(() => this.resized()).observe(svg);
    svg.classList.add("zoomable");
    svg.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.moved(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(end, (event) => this.up(event));
    svg.addEventListener("click", (event) => this.clicked(event), { capture: true });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** All of the map, which may have grown; what is looked at closely stays where it is. */
  fit(view) {
    this.map = view;
    this.whole = this.framed(view);
    if (this.scale === 1) this.show(this.whole);
    else this.look(this.centre, this.scale);
  }

  resized() {
    this.onresize?.();
    if (this.map) this.fit(this.map);
  }

  /** So many pixels at the top and the bottom are hidden by something: nothing of the map should lie there. What was
   * covered once stays free, so that the map does not move with every question. */
  cover(top, bottom) {
    const { clientWidth: wide } = this.board.svg, former = this.covered.wide === wide ? this.covered : { top: 0, bottom: 0 };
    this.covered = { wide, top: Math.max(top, former.top), bottom: Math.max(bottom, former.bottom) };
    if (this.map && (this.covered.top !== former.top || this.covered.bottom !== former.bottom)) this.fit(this.map);
  }

  /** The map in the middle of what is free of the drawing. */
  framed([left, top, width, height]) {
    const { clientWidth: wide, clientHeight: high } = this.board.svg, free = high - this.covered.top - this.covered.bottom;
    if (!wide || free < high / 4) return [left, top, width, height];
    const scale = Math.min(wide / width, free / height);
    return [left + (width - wide / scale) / 2, top + height / 2 - (this.covered.top + free / 2) / scale, wide / scale, high / scale];
  }

  /** Looks at a point of the ground, so much closer than at the whole. */
  look([x, y], scale) {
    const [left, top, width, height] = this.whole;
    this.scale = Math.min(Math.max(scale, 1), MOST);
    const wide = width / this.scale, high = height / this.scale;
    const within = (at, low, size, all) => Math.min(Math.max(at - size / 2, low), low + all - size);
    this.centre = [within(x, left, wide, width) + wide / 2, within(y, top, high, height) + high / 2];
    this.show([this.centre[0] - wide / 2, this.centre[1] - high / 2, wide, high]);
  }

  show(view) {
    this.view = view;
    if (this.scale === 1) this.centre = [view[0] + view[2] / 2, view[1] + view[3] / 2];
    this.board.svg.classList.toggle("zoomed", this.scale > 1);
    this.board.window(view);
  }

  /** Closer to a point of the screen, which stays where it is. */
  closer(factor, clientX, clientY) {
    const [x, y] = this.ground(clientX, clientY), scale = Math.min(Math.max(this.scale * factor, 1), MOST), share = this.scale / scale;
    this.look([x + (this.centre[0] - x) * share, y + (this.centre[1] - y) * share], scale);
  }

  ground(clientX, clientY) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.board.svg.getScreenCTM().inverse());
    return [x, y];
  }

  wheeled(event) {
    if (event.defaultPrevented) return; // something was turned
    event.preventDefault();
    this.closer(event.deltaY < 0 ? STEP : 1 / STEP, event.clientX, event.clientY);
  }

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input,textarea,select,dialog")) return;
    const factor = { "+": STEP, "=": STEP, "-": 1 / STEP, 0: 0 }[event.key];
    if (factor === undefined) return;
    event.preventDefault();
    this.look(this.centre, factor && this.scale * factor);
  }

  // Fingers

  down(event) {
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.pointers.size === 1) [this.start, this.isDragged] = [[event.clientX, event.clientY], false];
  }

  moved(event) {
    const former = this.pointers.get(event.pointerId);
    if (!former) return;
    const now = [event.clientX, event.clientY], other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    if (other) return this.pinched(former, now, other);
    if (Math.hypot(now[0] - this.start[0], now[1] - this.start[1]) > SLIP) this.isDragged = this.scale > 1;
    if (!this.isDragged) return;
    const [x, y] = this.ground(...now), [formerX, formerY] = this.ground(...former);
    this.look([this.centre[0] - (x - formerX), this.centre[1] - (y - formerY)], this.scale);
  }

  pinched(former, now, other) {
    const far = ([x, y]) => Math.hypot(x - other[0], y - other[1]) || 1;
    this.isDragged = true;
    this.closer(far(now) / far(former), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }

  up(event) {
    this.pointers.delete(event.pointerId);
  }

  /** The end of a drag is no press. */
  clicked(event) {
    if (!this.isDragged) return;
    this.isDragged = false;
    event.stopPropagation();
    event.preventDefault();
  }
}
