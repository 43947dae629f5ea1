// What moves on a board: the beats of a step, one after the other, or together where they happen together.

const LONGEST = 4000; // milliseconds: more happens in no less time, but faster
const PAUSE = 140;
const MOVE = 320, SWEEP = 520, GAIN = 320, ROLL = 320, TURN_UP = 320;
const BRISK = 260; // a space, where many are scored
const MANY = 3;
const EASE = "cubic-bezier(.2,.75,.25,1)";

export class Run {
  /** @param board on which it is seen @param where gives the panel of a seat, if it can be seen */
  constructor(board, beats, speed, where) {
    this.board = board;
    this.where = where;
    this.isOver = false;
    this.animations = new Set();
    this.nodes = new Set();
    this.isBrisk = beats.filter(({ kind }) => kind === "score").length > MANY;
    this.groups = grouped(beats);
    this.length = this.groups.reduce((sum, [{ kind }]) => sum + this.pace(kind) + PAUSE, 0);
    this.factor = Math.min(1, LONGEST / this.length) / speed;
  }

  pace(kind) {
    if (kind === "score") return this.isBrisk ? BRISK : SWEEP + GAIN + ROLL;
    return kind === "move" ? MOVE : TURN_UP;
  }

  async play() {
    for (const [at, group] of this.groups.entries()) {
      if (at) await this.rest(PAUSE);
      if (this.isOver) return;
      await Promise.all(group.map((beat) => this.beat(beat)));
    }
  }

  finish() {
    this.isOver = true;
    for (const animation of this.animations) animation.cancel();
    for (const node of this.nodes) node.remove();
  }

  beat(beat) {
    if (beat.kind === "move") return this.flight(beat);
    if (beat.kind === "score") return this.score(beat);
    return this.reveal(beat);
  }

  /** From slot to slot, in a slight arc; what comes from nowhere, or goes there, grows or fades. */
  flight(beat) {
    const end = this.board.point(beat.end), start = this.board.point(beat.start);
    if (!end && !start) return null;
    const from = start ?? end, to = end ?? start;
    const lift = Math.min(60, Math.hypot(to[0] - from[0], to[1] - from[1]) / 4);
    const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 - lift];
    const frames = [at(from, start ? 1 : 0.3), at(middle, 1.12), at(to, end ? 1 : 0.3)];
    if (!start) frames[0].opacity = 0;
    if (!end) frames[2].opacity = 0;
    return this.animated(this.carried(beat), frames, MOVE);
  }

  carried(beat) {
    const node = this.board.symbol(beat.symbol, [beat.text ?? ""]);
    node.setAttribute("class", "carried");
    return this.kept(this.board.layers.get("marks"), node);
  }

  /** Something that was hidden, and is seen as long as the run lasts. */
  reveal(beat) {
    return this.animated(this.carried(beat), [{ ...at(beat.end, 0.4), opacity: 0 }, at(beat.end, 1)], TURN_UP);
  }

  /** The border glows, the points go to the players, their counters roll. */
  async score({ space, symbol, spots, points = {} }) {
    const area = this.kept(this.board.layers.get("state"), spots ? this.spotted(symbol, spots) : this.board.symbol(`scored-${space}`, []));
    const glow = this.animated(area, [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 0 }], this.isBrisk ? BRISK : SWEEP);
    if (!this.isBrisk) await glow;
    const box = area.getBoundingClientRect();
    const won = Object.entries(points).map(([seat, count], index) => this.gain(seat, count, box, index));
    await Promise.all(this.isBrisk ? [glow] : won);
  }

  /** A space that is made of several cells. */
  spotted(symbol, spots) {
    const whole = this.board.symbol(symbol, []), cell = whole.firstChild;
    whole.replaceChildren(...spots.map(([x, y]) => {
      const node = cell.cloneNode(true);
      node.setAttribute("transform", `translate(${x} ${y})`);
      return node;
    }));
    return whole;
  }

  async gain(seat, count, box, index) {
    if (this.isOver) return;
    const counter = this.where(seat)?.querySelector(".points"), goal = counter?.getBoundingClientRect();
    const badge = document.createElement("span");
    badge.className = `gain ${seat}`;
    badge.textContent = `+${count}`;
    this.kept(this.board.svg.closest("[data-replay]") ?? document.body, badge);
    const from = [box.left + box.width / 2 - 14 + 34 * index, box.top + box.height / 2];
    const to = goal?.width ? [goal.left - 40, goal.top] : [from[0], from[1] - 36];
    await this.animated(badge, [{ ...at(from, 0.6), opacity: 0 }, { ...at(from, 1.1), opacity: 1, offset: 0.3 }, { ...at(to, 1), opacity: goal?.width ? 1 : 0 }], GAIN);
    badge.remove();
    if (goal?.width && !this.isOver) await this.roll(counter.firstChild, count);
  }

  /** A number that counts up. */
  roll(digits, count) {
    const from = Number(digits.data), duration = ROLL * this.factor, began = performance.now();
    return new Promise((resolve) => {
      const tick = (now) => {
        if (this.isOver) return resolve();
        const share = Math.min(1, (now - began) / duration);
        digits.data = String(from + Math.round(count * share));
        return share < 1 ? requestAnimationFrame(tick) : resolve();
      };
      requestAnimationFrame(tick);
    });
  }

  rest(duration) {
    return this.animated(this.board.svg, [], duration);
  }

  animated(node, frames, duration) {
    const animation = node.animate(frames, { duration: duration * this.factor, easing: EASE, fill: "forwards" });
    this.animations.add(animation);
    return animation.finished.catch(() => {}).then(() => this.animations.delete(animation));
  }

  kept(parent, node) {
    parent.append(node);
    this.nodes.add(node);
    return node;
  }
}

/** Beats that are seen together stand together. */
function grouped(beats) {
  const groups = [];
  for (const beat of beats) {
    const last = groups.at(-1);
    if (beat.together && last?.[0].together && last[0].kind === beat.kind) last.push(beat);
    else groups.push([beat]);
  }
  return groups;
}

function at([x, y], scale) {
  return { transform: `translate(${x}px, ${y}px) scale(${scale})` };
}
