// The tools on the map: arrows and highlights, drawn by pointer and by keys. While one is held, spaces are buttons.

import { said } from "../replay/dom.js";
import { Stage } from "../prompt/stage.js";

const FAR = 8; // pixels: a press that goes further is a stroke

export class Tools {
  /** @param hands what follows: draw(kind, source, target), erase(mark), comment(), undo() */
  constructor(bar, board, marks, names, texts, tell, hands) {
    Object.assign(this, { bar, board, marks, names, texts, tell, hands, tool: "look", source: null, shown: [] });
    this.stage = new Stage(board);
    bar.addEventListener("click", (event) => {
      const button = event.target.closest("[data-tool]");
      if (button) this.press(button.dataset.tool, event.detail === 0);
    });
    board.svg.addEventListener("pointerdown", (event) => this.grip(event));
    board.svg.addEventListener("pointermove", (event) => this.drag(event));
    document.addEventListener("pointerup", (event) => this.release(event));
    board.svg.addEventListener("keydown", (event) => this.isHeld && this.key(event));
  }

  get isHeld() {
    return this.tool !== "look";
  }

  /** A tool of the bar is pressed; by a key, the keyboard goes on to the map. */
  press(tool, byKey = false) {
    if (tool === "comment" || tool === "undo") return this.hands[tool]();
    this.hold(tool === this.tool ? "look" : tool);
    if (byKey && this.isHeld) this.stage.focus();
    return null;
  }

  hold(tool) {
    this.tool = tool;
    this.letGo();
    for (const button of this.bar.querySelectorAll("[aria-pressed]")) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    this.board.svg.classList.toggle("marking", this.isHeld);
    if (!this.isHeld) return this.leave();
    this.stage.show(Object.entries(this.board.ground.spaces).map(([space, point]) => ({
      id: `mark:${space}`, place: space, point, label: this.names[space] ?? space, isLegal: true,
      press: () => this.choose(space), look: () => this.isDown || this.sketch(space, point),
    })));
    return this.tell(this.texts.tools[tool]);
  }

  leave() {
    const { svg } = this.board;
    this.stage.leave();
    if (svg.querySelector('[role="button"]')) svg.setAttribute("role", "group"); // a prompt still asks there
  }

  /** Above whatever a prompt has put on the map meanwhile. */
  raise() {
    const { marks, targets } = this.stage;
    if (this.isHeld && this.board.svg.lastElementChild !== targets) this.board.svg.append(marks, targets);
  }

  key(event) {
    const place = this.board.ground.places.find(({ shortcut }) => shortcut === event.key);
    if (event.key !== "Escape" && !place) return;
    event.preventDefault();
    event.stopPropagation();
    if (place) this.stage.focus(`mark:${place.key}`);
    else this.escape();
  }

  escape() {
    if (this.source) return this.letGo();
    const { tool } = this;
    this.hold("look");
    return this.bar.querySelector(`[data-tool="${tool}"]`).focus();
  }

  // A stroke of the pointer: from space to space

  grip(event) {
    if (!this.isHeld || event.button || this.source) return;
    const space = spaceUnder(event);
    if (!space || this.tool !== "arrow") return;
    this.isDown = { space, x: event.clientX, y: event.clientY };
    event.target.releasePointerCapture?.(event.pointerId); // a touch would keep to the space where it began
  }

  drag(event) {
    if (!this.isHeld || !(this.source || this.isDown)) return;
    if (this.isDown && !this.source && Math.hypot(event.clientX - this.isDown.x, event.clientY - this.isDown.y) > FAR) this.begin(this.isDown.space);
    if (this.source) this.sketch(spaceUnder(event), this.pointUnder(event));
  }

  /** A stroke that ends in its own space, or nowhere, draws nothing; a press without a stroke is a click. */
  release(event) {
    const { isDown } = this;
    this.isDown = null;
    if (!isDown || this.source !== isDown.space) return;
    const space = spaceUnder(event);
    if (space && space !== this.source) this.choose(space);
    else this.letGo();
  }

  pointUnder(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.board.svg.getScreenCTM().inverse());
    return [x, y];
  }

  // What is drawn

  begin(space) {
    this.source = space;
    this.tell(said(this.texts.tools.from, { space: this.names[space] }));
  }

  sketch(space, point) {
    const label = space && space !== this.source ? this.names[space] : "";
    this.marks.drawing(this.tool, this.source, point, space, this.source && label ? said(this.texts.tools.to, { space: label }) : label);
  }

  choose(space) {
    if (this.tool === "arrow" && !this.source) return this.begin(space);
    if (this.tool === "arrow" && this.source === space) return this.letGo();
    const { tool, source } = this;
    this.letGo();
    const [from, to] = tool === "arrow" ? [source, space] : [space, ""];
    const there = this.shown.find((mark) => mark.kind === tool && mark.source === from && (mark.target ?? "") === to);
    return there ? this.hands.erase(there) : this.hands.draw(tool, from, to);
  }

  letGo() {
    this.source = null;
    this.marks.clear();
  }
}

function spaceUnder(event) {
  const { focus } = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-focus^="mark:"]')?.dataset ?? {};
  return focus ? focus.slice("mark:".length) : null;
}
