// The part of JSON Schema in which decisions are written (docs/decisions.md): ways to answer, and the shapes of their fields.

const SPOKEN_FOR = new Set(["decision", "kind"]);

const CHOICE = "choice", NUMBER = "number", COUNTS = "counts", SET = "set", OTHER = "other";
export { CHOICE, COUNTS, NUMBER, OTHER, SET };

/** Which of the shapes of a field this is. */
export function shapeOf(field) {
  if (field.enum) return CHOICE;
  if (field.type === "integer" && Number.isInteger(field.minimum) && Number.isInteger(field.maximum)) return NUMBER;
  if (field.type === "object" && field.properties && field.additionalProperties === false) return COUNTS;
  if (field.type === "array" && field.uniqueItems && field.items?.enum && Number.isInteger(field.maxItems)) return SET;
  return OTHER;
}

/** The fields that are to be filled in. */
export function fieldsOf(form) {
  return Object.entries(form.properties).filter(([name]) => !SPOKEN_FOR.has(name));
}

export function kindOf(form) {
  return form.properties.kind.const;
}

/** Whether an answer of this form may hold these values; what is missing may still come. */
export function fits(form, values) {
  const inside = Object.entries(values).every(([name, value]) => {
    const field = form.properties[name];
    return field ? holds(field, value) : isNothing(value);
  });
  const total = form["x-total"];
  return inside && (!total || summed(values, total.fields) <= total.maximum);
}

function holds(field, value) {
  switch (shapeOf(field)) {
    case CHOICE: return field.enum.includes(value);
    case NUMBER: return field.minimum <= value && value <= field.maximum;
    case SET: return value.length <= field.maxItems && value.every((each) => field.items.enum.includes(each));
    case COUNTS:
      return Object.entries(value).every(([key, count]) => count <= (field.properties[key]?.maximum ?? 0)) && isWithinMost(field, value);
    default: return true;
  }
}

/** Whether there are not too many of the keys that begin alike. */
function isWithinMost(field, value) {
  return Object.entries(field["x-most"] ?? {}).every(([beginnings, most]) => {
    const alike = Object.entries(value).filter(([key]) => beginnings.split(" ").some((beginning) => key.startsWith(beginning)));
    return alike.reduce((sum, [, count]) => sum + count, 0) <= most;
  });
}

function isNothing(value) {
  return value === 0 || (typeof value === "object" && value !== null && !Object.keys(value).length);
}

/** The sum of all numbers in these fields; a set counts as many as are in it. */
export function summed(values, names) {
  return names.reduce((sum, name) => {
    const value = values[name] ?? 0;
    if (Array.isArray(value)) return sum + value.length;
    return sum + (typeof value === "object" ? Object.values(value).reduce((all, count) => all + count, 0) : Number(value) || 0);
  }, 0);
}

/** The only value that a field can have. */
export function only(field) {
  return field.enum?.length === 1 ? field.enum[0] : undefined;
}

/** What stands in a field into which nothing was put: nothing, if that is a value. */
export function blank(field) {
  switch (shapeOf(field)) {
    case NUMBER: return field.minimum;
    case COUNTS: return {};
    case SET: return field.minItems ? undefined : [];
    default: return undefined;
  }
}

/** Whether a set has as many values as it needs; anything else has enough. */
export function isEnough(field, value) {
  return shapeOf(field) !== SET || value.length >= (field.minItems ?? 0);
}

/** All whole numbers between the smallest and the biggest of these. */
export function spread(limits) {
  const numbers = limits.filter(Number.isInteger);
  const low = Math.min(...numbers), high = Math.max(...numbers);
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}
