// Any answer that a JSON Schema allows, for programs that know no rules.

/**
 * An answer that fits: `hidalgo.move(game, sample(decision.schema))`. It knows the part of JSON Schema that decisions are
 * written in, and the keywords `x-total` and `x-most` (docs/decisions.md). Every answer that fits can come up.
 * @param {Schema} schema
 * @param {() => number} [random]  Numbers from 0 up to 1, as Math.random gives them.
 * @returns {any}
 */
export function sample(schema, random = Math.random) {
  if ("const" in schema) return schema.const;
  if (schema.enum) return choice(schema.enum, random);
  const schemas = schema.anyOf ?? schema.oneOf;
  if (schemas) return sample(choice(schemas, random), random);
  switch (schema.type) {
    case "integer":
      return between(schema.minimum, schema.maximum, random);
    case "boolean":
      return random() < 0.5;
    case "array": {
      const count = between(schema.minItems ?? 0, schema.maxItems, random);
      if (schema.uniqueItems && schema.items.enum) return someOf(schema.items.enum, count, random);
      return Array.from({ length: count }, () => sample(schema.items, random));
    }
    case "object":
      return sampleObject(schema, random);
  }
  throw new TypeError(`no sample for the schema ${JSON.stringify(schema)}`);
}

/**
 * @param {Schema} schema
 * @param {() => number} random
 */
function sampleObject(schema, random) {
  const total = schema["x-total"];
  const summed = new Set(total?.fields);
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {})
    .filter(([name]) => !summed.has(name) && (required.has(name) || random() < 0.5))
    .map(([name, field]) => [name, sample(field, random)]);
  const answer = Object.fromEntries(fields);
  for (const [beginnings, most] of Object.entries(schema["x-most"] ?? {})) lessen(answer, beginnings.split(" "), most, random);
  return { ...answer, ...(total && summedFields(schema.properties, total, random)) };
}

/**
 * One less here and there, until there are no more than so many together of the keys that begin like one of these.
 * @param {Record<string, any>} answer
 * @param {string[]} beginnings
 * @param {number} most
 * @param {() => number} random
 */
function lessen(answer, beginnings, most, random) {
  const keys = () => Object.keys(answer).filter((key) => beginnings.some((beginning) => key.startsWith(beginning)));
  while (keys().reduce((sum, key) => sum + answer[key], 0) > most) {
    const key = choice(keys(), random);
    if (!--answer[key]) delete answer[key];
  }
}

/**
 * Numbers that add up: least ones first, then one more here and there.
 * @param {Record<string, Schema>} properties
 * @param {{ fields: string[], minimum: number, maximum: number }} total
 * @param {() => number} random
 */
function summedFields(properties, total, random) {
  const slots = total.fields.flatMap((field) => slotsOf(field, properties[field]));
  const least = slots.reduce((sum, slot) => sum + slot.number, 0);
  const most = slots.reduce((sum, slot) => sum + slot.most, 0);
  let more = between(Math.max(least, total.minimum), Math.min(most, total.maximum), random) - least;
  for (; more > 0; more--) choice(slots.filter((slot) => slot.number < slot.most), random).number++;
  return valuesOf(total.fields, slots);
}

/**
 * A slot is a number that can be counted up: a field, or a key of a field.
 * @typedef {{ field: string, key: string | null, number: number, most: number }} Slot
 */

/**
 * @param {string} field
 * @param {Schema} schema
 * @returns {Slot[]}
 */
function slotsOf(field, schema) {
  if (schema.type === "integer") return [{ field, key: null, number: schema.minimum, most: schema.maximum }];
  const required = new Set(schema.required);
  return Object.entries(schema.properties).map(([key, number]) => {
    if (!required.has(key) && number.minimum > 1) {
      throw new TypeError(`no sample for ${field}: ${key} is nothing, or at least ${number.minimum}`);
    }
    return { field, key, number: required.has(key) ? number.minimum : 0, most: number.maximum };
  });
}

/**
 * @param {string[]} fields
 * @param {Slot[]} slots
 */
function valuesOf(fields, slots) {
  /** @type {Record<string, any>} */
  const values = Object.fromEntries(fields.map((field) => [field, {}]));
  for (const { field, key, number } of slots) {
    if (key === null) values[field] = number;
    else if (number) values[field][key] = number;
  }
  return values;
}

/**
 * @template T
 * @param {T[]} items
 * @param {() => number} random
 */
function choice(items, random) {
  return items[between(0, items.length - 1, random)];
}

/**
 * @template T
 * @param {T[]} items
 * @param {number} count
 * @param {() => number} random
 */
function someOf(items, count, random) {
  const left = [...items];
  return Array.from({ length: count }, () => left.splice(between(0, left.length - 1, random), 1)[0]);
}

/**
 * @param {number} low
 * @param {number} high
 * @param {() => number} random
 */
function between(low, high, random) {
  return low + Math.floor(random() * (high - low + 1));
}
