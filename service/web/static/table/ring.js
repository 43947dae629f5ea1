// The countdown ring of a question that is short.

import { shape } from "../replay/dom.js";

export function ring() {
  return shape("svg", { class: "ring", viewBox: "0 0 50 50", "data-ring": "", "aria-hidden": "true" },
    shape("circle", { cx: 25, cy: 25, r: 21 }),
    shape("circle", { class: "left", cx: 25, cy: 25, r: 21, transform: "rotate(-90 25 25)" }),
    shape("text", { x: 25, y: 30.5 }));
}
