// The things of a scene, by the names under which decisions speak of them.

/** Fills in a template of the ground; `value`, `seat` and the fields of an answer stand in braces. */
export function filled(template, values) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export class Things {
  /** @param {object} scene as the interface gives it, or as a viewer keeps it @param {object} ground */
  constructor(scene, ground) {
    this.ground = ground = scene.places?.length ? { ...ground, places: scene.places } : ground;
    this.places = new Map(ground.places.map((place) => [place.key, place]));
    this.panels = new Map([...(scene.panels ?? []).values()].map((panel) => [panel.seat, panel]));
    this.seats = [...this.panels.keys()];
    this.cards = [...(scene.cards ?? []).values()];
    this.spaces = scene.spaces ?? {};
    this.sprites = new Map();
    for (const sprite of scene.sprites.values()) {
      this.sprites.set(sprite.key, sprite);
      if (sprite.stands_for) this.sprites.set(sprite.stands_for, sprite);
    }
  }

  sprite(name) {
    return this.sprites.get(name) ?? null;
  }

  /** Cards among which a seat may choose: those on the table, or those in its hand. */
  dealt(control, seat) {
    return control.kind === "card" ? this.cards : this.panels.get(seat)?.hand ?? [];
  }

  slots(place) {
    return place.slots[this.seats.length] ?? [place.centre];
  }

  /** The place in which a sprite stands: that of the nearest slot. */
  placeOf({ x = 0, y = 0 }) {
    const far = (place) => Math.min(...this.slots(place).map(([left, top]) => Math.hypot(left - x, top - y)));
    return [...this.places.values()].reduce((best, place) => (far(place) < far(best) ? place : best)).key;
  }

  /** A pile, named by a template: its sprite if there is one, its seat, and where it stands or would stand. */
  pile(template, values) {
    const name = filled(template, values), sprite = this.sprite(name);
    const fields = [...template.matchAll(/\{(\w+)\}/g)].map(([, field]) => field);
    const seat = values[fields.find((field) => this.seats.includes(values[field]))] ?? null;
    return { name, sprite, seat, point: sprite ? [sprite.x ?? 0, sprite.y ?? 0] : this.slot(values.value, seat) };
  }

  slot(place, seat) {
    const found = this.places.get(place);
    return found ? this.slots(found)[this.seats.indexOf(seat)] ?? found.centre : null;
  }
}
