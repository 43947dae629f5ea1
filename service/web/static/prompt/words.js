// Small things about words.

export function capital(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : text;
}

/** Classes, without those that do not apply. */
export function styles(...names) {
  return names.filter(Boolean).join(" ");
}
