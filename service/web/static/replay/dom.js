// Elements from plain values; no markup is made of text.

const SVG = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Signs of our own file: icons, and the shapes of seats. */
export class Signs {
  constructor(file) {
    this.file = file;
  }

  icon(name) {
    return shape("svg", { class: "icon", "aria-hidden": "true" }, shape("use", { href: `${this.file}#${name}` }));
  }

  chip(seat, label = "") {
    const told = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
    return shape("svg", { class: `chip ${seat}`, ...told }, shape("use", { href: `${this.file}#seat-${seat}` }));
  }
}

/** A sentence of the page's language with its values in it. */
export function said(template, values = {}) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Acts when all that has changed so far was painted: what lies beside need not hold that up. */
export function painted(act) {
  if (document.hidden) act();
  else requestAnimationFrame(() => setTimeout(act));
}

/** Makes a node like another, and touches only what differs: signs that stay are not drawn again. Gives the node. */
export function become(node, wanted) {
  if (node.isEqualNode(wanted)) return node;
  if (node.nodeName !== wanted.nodeName) {
    node.replaceWith(wanted);
    return wanted;
  }
  if (node.nodeType === Node.TEXT_NODE) {
    node.data = wanted.data;
    return node;
  }
  for (const { name } of [...node.attributes]) if (!wanted.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of wanted.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  const there = [...node.childNodes], coming = [...wanted.childNodes];
  for (const [index, child] of coming.entries()) there[index] ? become(there[index], child) : node.append(child);
  for (const child of there.slice(coming.length)) child.remove();
  return node;
}

/** The same for all that a list holds. */
export function filledWith(list, wanted) {
  const there = [...list.children];
  for (const [index, item] of wanted.entries()) there[index] ? become(there[index], item) : list.append(item);
  for (const item of there.slice(wanted.length)) item.remove();
}

/** The same for items with names of their own (`data-key`): one that stays is the same element, so that it keeps the focus. */
export function keyed(list, wanted) {
  const { activeElement: held } = document;
  const there = new Map([...list.children].map((item) => [item.dataset.key, item]));
  const items = wanted.map((item) => (there.has(item.dataset.key) ? become(there.get(item.dataset.key), item) : item));
  for (const item of [...list.children]) if (!items.includes(item)) item.remove();
  for (const [index, item] of items.entries()) if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
  if (held !== document.activeElement && list.contains(held)) held.focus({ preventScroll: true }); // what is moved loses it
}
