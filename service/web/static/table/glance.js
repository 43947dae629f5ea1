// A look at a place of the map: what the pointer or the focus is on is told in words, whether anything is asked or not.

import { element, shape } from "../replay/dom.js";

const LINGERS = 5000; // milliseconds after a finger has touched it

export class Glance {
  /** @param {Table} table whose places are told by their sentences */
  constructor(table) {
    const { svg } = table.board;
    this.table = table;
    this.board = table.board;
    this.areas = shape("g", { class: "glance-areas" });
    this.sheet = element("p", { class: "glance", "aria-hidden": "true", hidden: true });
    svg.append(this.areas);
    svg.closest("figure").append(this.sheet);
    this.board.isGlanced = true;
    svg.addEventListener("pointermove", (event) => this.moved(event));
    svg.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && this.show(null));
    svg.addEventListener("click", (event) => this.touched(event));
    svg.addEventListener("focusin", ({ target }) => this.show(placeOf(target)));
    svg.addEventListener("focusout", () => this.show(null));
  }

  /** The places may be others now, and there may be something else to tell of them. */
  draw() {
    const { now, board } = this.table, places = now.cells.length ? now.cells : board.ground.places;
    if (this.places !== places && JSON.stringify(this.places) !== JSON.stringify(places)) {
      this.places = places;
      this.areas.replaceChildren(...places.map((place) => this.area(place)));
    }
    this.tell();
  }

  area({ key, centre: [x, y], shape: form }) {
    const node = this.board.symbol(`area-${form || key}`, []);
    node.setAttribute("class", "glance-area");
    if (form) node.setAttribute("transform", `translate(${x} ${y})`);
    node.dataset.place = key;
    return node;
  }

  moved({ clientX, clientY, pointerType }) {
    if (pointerType !== "mouse" || this.isLooking) return;
    this.isLooking = true;
    requestAnimationFrame(() => {
      this.isLooking = false;
      this.show(placeAt(clientX, clientY));
    });
  }

  /** What a finger picks is seen by itself. */
  touched({ clientX, clientY, pointerType, target }) {
    if (pointerType === "mouse" || target.closest(".target.legal, .back")) return;
    this.show(placeAt(clientX, clientY));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.show(null), LINGERS);
  }

  show(place) {
    this.place = place;
    const centre = place && this.areas.querySelector(`[data-place="${CSS.escape(place)}"]`)?.getBoundingClientRect();
    if (centre) this.rest(centre.top + centre.height / 2);
    this.tell();
  }

  /** Away from the place that is looked at. */
  rest(y) {
    const { svg } = this.board, { top, height } = svg.getBoundingClientRect(), isAbove = y > top + height / 2;
    this.sheet.classList.toggle("above", isAbove);
    this.sheet.style.top = isAbove ? `${10 + (svg.zoom?.covered.top ?? 0)}px` : "";
  }

  tell() {
    const text = (!this.table.looking && this.table.now.spaces[this.place]) || "";
    this.sheet.hidden = !text;
    if (this.sheet.textContent !== text) this.sheet.textContent = text;
  }
}

function placeAt(x, y) {
  return document.elementsFromPoint(x, y).find((node) => node.closest(".glance-area"))?.closest(".glance-area").dataset.place ?? null;
}

function placeOf(target) {
  return target.dataset.focus?.match(/^(?:place|around):(.*)$/)?.[1] ?? null;
}
