// Comments as they are read: whoever wrote it, and harmless HTML that the service has made of the Markdown.

import { element, said } from "../replay/dom.js";

export function comment({ by, html, id }, texts, more = null) {
  const text = element("div", { class: "words" });
  text.innerHTML = html; // sanitised by the service; our policy lets no script of it run
  for (const link of text.querySelectorAll("a")) link.target = "_blank";
  return element("div", { class: "remark", "data-comment": id }, text, element("footer", {}, author(by, texts), more));
}

/** A name from an imported file is not that of an account here, and does not look like one. */
export function author(by, texts) {
  if (by === null) return element("span", {}, texts.gone);
  if (by.startsWith("~")) return element("span", {}, said(texts.fromFile, { name: by.slice(1) }));
  return element("span", { translate: "no" }, by);
}

export function avatar(handle, attributes = {}) {
  return element("span", { class: "avatar", translate: "no", ...attributes }, (handle ?? "?").replace(/^~/, "").slice(0, 1));
}
