// The board in a browser: sprites on a ground, which move. It knows no game and no rules.
// What it draws is what replay/svg.py draws: a sprite is a symbol of the ground at a point, with its texts filled in.

import { Run } from "./stage.js";
import { Zoom } from "./zoom.js";

const SVG = "http://www.w3.org/2000/svg";

export const calm = matchMedia("(prefers-reduced-motion:reduce)");

export class Board {
  /** @param {SVGSVGElement} svg drawn by the server @param {object} ground as the interface gives it */
  constructor(svg, ground) {
    this.svg = svg;
    this.ground = ground;
    this.id = svg.dataset.board;
    this.layers = new Map([...svg.querySelectorAll("[data-layer]")].map((layer) => [layer.dataset.layer, layer]));
    this.drawn = new Map([...svg.querySelectorAll("[data-key]")].map((node) => [node.dataset.key, { node, sprite: null }]));
    this.symbols = new Map();
    this.running = null;
    this.isGlanced = false; // whether a page tells of places by itself
    this.onrun = null; // told when something begins to move, and when nothing does any more
  }

  /** The part of the ground that is looked at: a map that grows brings its own. Nothing is said of one that does not. */
  frame(view) {
    if (!view) return;
    this.svg.zoom ??= new Zoom(this);
    this.svg.zoom.board = this;
    this.svg.zoom.fit(view);
  }

  /** Shows this part of the ground, in all drawings that lie above each other. */
  window(view) {
    const box = view.map((value) => Math.round(value * 10) / 10).join(" ");
    for (const svg of [this.svg, ...this.svg.parentNode.querySelectorAll("svg.board.ground")]) svg.setAttribute("viewBox", box);
  }

  /** The scene as it is, at once. Whatever has changed with the last step gets a ring. */
  show(sprites, changed = []) {
    this.finish();
    const marked = new Set(changed);
    for (const [key, { node }] of this.drawn) {
      if (!sprites.has(key)) {
        node.remove();
        this.drawn.delete(key);
      }
    }
    for (const sprite of sprites.values()) this.put(sprite, marked.has(sprite.key));
  }

  put(sprite, isChanged) {
    const known = this.drawn.get(sprite.key);
    if (known?.sprite === sprite && known.isChanged === isChanged) return;
    const node = known && same(known.sprite, sprite) ? known.node : this.replace(known?.node, sprite);
    if (node === known?.node) fill(node, sprite.texts ?? []);
    node.setAttribute("class", `sprite ${sprite.style ?? ""}${isChanged ? " changed" : ""}`.trim());
    node.setAttribute("transform", `translate(${sprite.x ?? 0} ${sprite.y ?? 0})`);
    this.drawn.set(sprite.key, { node, sprite, isChanged });
  }

  replace(former, sprite) {
    const node = this.symbol(sprite.symbol, sprite.texts ?? []);
    node.dataset.key = sprite.key;
    const layer = this.layers.get(sprite.layer);
    if (former && former.parentNode === layer) former.replaceWith(node);
    else {
      former?.remove();
      layer.append(node);
    }
    return node;
  }

  symbol(name, texts) {
    if (!this.symbols.has(name)) this.symbols.set(name, parsed(this.ground.symbols[name].replaceAll("~", `${this.id}-`)));
    const node = this.symbols.get(name).cloneNode(true);
    fill(node, texts);
    return node;
  }

  /** A symbol of its own, outside of the board. */
  picture(name, texts = []) {
    const svg = document.createElementNS(SVG, "svg");
    svg.classList.add("board", "cell-picture");
    svg.setAttribute("viewBox", "-76 -76 152 152");
    svg.setAttribute("aria-hidden", "true");
    svg.append(this.symbol(name, texts));
    return svg;
  }

  // What moves

  /** Plays the beats of a step; resolves when all are over, or when it is finished early. */
  async play(beats, speed, where) {
    this.finish();
    if (calm.matches || document.hidden || !beats.length) return;
    const run = this.running = new Run(this, beats, speed, where);
    this.onrun?.(run);
    await run.play();
    if (this.running === run) this.finish();
  }

  finish() {
    const run = this.running;
    if (!run) return;
    this.running = null;
    run.finish();
    this.onrun?.(null);
  }

  /** A point of the ground; of a seat, where its panel is, as the ground would have it. */
  point(place) {
    if (place == null || Array.isArray(place)) return place ?? null;
    const panel = document.querySelector(`[data-panel="${CSS.escape(place)}"]`);
    const box = panel?.getBoundingClientRect();
    const matrix = this.svg.getScreenCTM();
    if (!box?.width || !matrix) return null;
    const point = new DOMPoint(box.left + 24, box.top + box.height / 2).matrixTransform(matrix.inverse());
    const { x, y, width, height } = this.svg.viewBox.baseVal;
    return [Math.min(Math.max(point.x, x), x + width), Math.min(Math.max(point.y, y), y + height)];
  }
}

function same(former, sprite) {
  return former !== null && former.symbol === sprite.symbol && former.layer === sprite.layer;
}

function fill(node, texts) {
  for (const place of node.querySelectorAll("[data-text]")) {
    const text = texts[place.dataset.text] ?? "";
    if (place.textContent !== text) place.textContent = text;
  }
}

/** Markup of the ground, which is ours: no text of a player is in it. */
function parsed(markup) {
  const node = document.createElementNS(SVG, "g");
  node.innerHTML = markup;
  return node;
}
