// The viewer: one game, one selected step; story, slider, chart and board always show the same one.
// The replay page starts it as it is (page.js); other pages build on it.

import { Board, calm } from "./board.js";
import { chart, chartNow, numbers } from "./chart.js";
import { Signs, element, said } from "./dom.js";
import { majorities, times } from "./figures.js";
import { listen, pressable } from "./keys.js";
import { Live } from "./live.js";
import * as panels from "./panels.js";
import { Scrub } from "./scrub.js";
import { Story } from "./story.js";
import { Timeline } from "./timeline.js";

const SPEEDS = [0.5, 1, 2, 4];
const REST = 1100; // milliseconds between two steps of the autoplay
const LONG = 1000; // milliseconds of movement after which it can be skipped by a button
const ADDRESS = 250; // milliseconds after the last step until it stands in the address: browsers limit how often that may be

export class Viewer {
  /** @param {Element} page with `data-replay` @param {object} source see source.js @param {object} given outline and ground
   * @param {object} texts sentences */
  constructor(page, source, { outline, ground }, texts) {
    this.page = page;
    this.source = source;
    this.outline = outline;
    this.texts = texts;
    this.signs = new Signs(page.dataset.icons);
    this.names = namesOf(outline);
    this.viewer = page.dataset.viewer;
    this.version = Number(page.dataset.step);
    this.speed = 1;
    this.isPlaying = false;
    this.turn = 0; // counts selections: a later one overtakes those before it
    this.board = new Board(page.querySelector("svg[data-board]"), ground);
    this.story = new Story(this.part("story"), this.signs, this.names, (version) => this.go(version));
    this.scrub = new Scrub(this.part("scrub"), texts, (version) => this.go(version));
  }

  part(name) {
    return this.page.querySelector(`[data-part="${name}"]`);
  }

  async begin() {
    await this.look(this.viewer);
    this.listen();
    this.outlined();
    this.page.dataset.ready = "";
    if (this.outline.status === "running") this.follow();
    this.verify();
  }

  follow() {
    this.live = new Live(this, this.source, this.part("live"));
  }

  /** What it takes to verify a game is read when the page can be used already. */
  async verify() {
    try {
      const { badge } = await import("./badge.js");
      await badge(this.part("badge"), this.source, this.outline, this.texts);
    } catch {
      this.unverified();
    }
  }

  /** The scripts that verify a game cannot be read: the reader must not take it for verified. */
  unverified() {
    const button = this.part("badge"), told = document.getElementById("proof"), { unknown, unread } = this.texts.proof;
    button.dataset.state = "unknown";
    button.querySelector("span").textContent = unknown;
    told.querySelector("p").textContent = unread;
    button.addEventListener("click", () => told.showModal());
    button.hidden = false;
    this.part("toast").textContent = unread;
  }

  /** Looks at the game through other eyes, at the same step. */
  async look(viewer) {
    const timeline = new Timeline(this.source, viewer, this.outline.first);
    await timeline.read(this.outline.last);
    this.timeline = timeline;
    this.viewer = viewer;
    this.story.clear();
    for (const step of timeline.steps) this.story.add(step, this.texts);
    for (const button of this.page.querySelectorAll("[data-viewer-choice]")) {
      const isChosen = button.dataset.viewerChoice === viewer;
      button.setAttribute("aria-pressed", String(isChosen));
      if (isChosen && this.part("eyes-now")) this.part("eyes-now").replaceChildren(...[...button.childNodes].map((node) => node.cloneNode(true)));
    }
    this.page.dataset.viewerNow = viewer;
    this.part("eyes").textContent = this.texts.eyes[viewer] ?? said(this.texts.eyes.seat, { name: this.names.seats[viewer] });
    this.marked();
    this.arrive();
  }

  /** Selects the present step in a timeline that was just read. */
  arrive() {
    this.go(this.version);
  }

  marked() {
    this.scrub.draw(this.timeline.first, this.timeline.last, this.outline.marks);
    this.part("count").textContent = String(this.timeline.last);
  }

  outlined() {
    const { outline, timeline, signs, texts } = this, shown = this.part("figures").dataset.shown;
    chart(this.part("chart"), outline, signs, texts, {
      go: (version) => this.go(version),
      read: (sentence) => (this.part("read").textContent = sentence),
      isPlain: this.isPlain,
    });
    chartNow(this.part("chart"), outline, this.version);
    numbers(this.part("numbers"), outline, texts);
    if (shown === "majorities") majorities(this.part("majorities"), outline, timeline, signs, texts);
    if (shown === "time") times(this.part("times"), outline, timeline, signs, texts);
  }

  /** Reads what has happened since, in a game that goes on. */
  async grow() {
    const wasLast = this.timeline.last, isAtTheEdge = this.version === wasLast;
    if (!(await this.timeline.read())) return;
    this.outline = await this.source.outline();
    for (let version = wasLast + 1; version <= this.timeline.last; version++) this.story.add(this.timeline.step(version), this.texts);
    this.marked();
    this.outlined();
    const isNext = this.timeline.last === wasLast + 1;
    if (isAtTheEdge) await this.go(this.timeline.last, isNext);
    else this.scrub.now(this.timeline.step(this.version));
  }

  // Selecting a step

  /** Selects a step. One step on is seen to happen, if `animate`; all others are there at once. */
  async go(version, animate = false) {
    const { timeline } = this;
    version = Math.min(Math.max(version, timeline.first), timeline.last);
    const turn = ++this.turn, isNext = version === this.version + 1;
    this.version = version;
    const step = timeline.step(version);
    this.board.finish();
    this.told(step);
    const scene = timeline.scene(version);
    this.board.frame(scene.view);
    if (animate && isNext && !calm.matches) {
      this.board.show(timeline.scene(version - 1).sprites);
      await this.board.play(step.beats, this.speed, (seat) => this.page.querySelector(`[data-panel="${seat}"]`));
      if (turn !== this.turn) return;
    }
    this.board.show(scene.sprites, version === timeline.first ? [] : step.changed);
    this.beside(scene, step);
  }

  /** What is read is scrolled to before anything is drawn: then nothing has to be laid out twice. */
  told(step) {
    this.step = step;
    this.story.now(step.version);
    this.part("now").textContent = step.story.map(({ text }) => text).join(". ");
    this.part("at").textContent = String(step.version);
    this.part("thought").textContent = step.thought_ms === null ? "" : said(this.texts.seconds, { count: (step.thought_ms / 1000).toFixed(1) });
    this.scrub.now(step);
    chartNow(this.part("chart"), this.outline, step.version);
    clearTimeout(this.addressing);
    this.addressing = setTimeout(() => this.addressed(), ADDRESS);
  }

  /** The present step stands in the address, and in those of its downloads. */
  addressed() {
    history.replaceState(null, "", this.address());
    const values = { version: this.version, step: this.version, viewer: this.viewer, as: this.viewer };
    for (const link of this.page.querySelectorAll("a[data-download]")) {
      const url = new URL(link.href);
      for (const name of link.dataset.download.split(" ")) url.searchParams.set(name, values[name]);
      link.href = url.href;
    }
    const field = this.part("embed");
    if (field) field.value = field.value.replace(field.dataset.frame, frameOf(field, values));
  }

  /** The address of the present step. */
  address() {
    const query = new URLSearchParams({ step: String(this.version) });
    if (this.viewer !== this.outline.viewers[0]) query.set("as", this.viewer);
    return new URL(`?${query}`, location.href).href;
  }

  beside(scene, step) {
    const { outline, signs, texts, names } = this;
    panels.players(this.part("players"), outline, scene, step, this.spent(step.version), signs, texts);
    panels.cards(this.part("cards"), scene, signs, texts, names, this.board);
    panels.rounds(this.part("rounds"), scene, texts);
    panels.leads(this.part("leads"), outline, step, signs, texts, names);
    if (this.part("words").closest("details").open) this.inWords();
  }

  /** The time that each player has thought so far. */
  spent(version) {
    const spent = {};
    for (const { version: at, by, thought_ms } of this.timeline.steps) {
      if (at > version) break;
      if (thought_ms !== null) spent[by] = (spent[by] ?? 0) + thought_ms;
    }
    return spent;
  }

  async inWords() {
    const turn = this.turn;
    const { words } = await this.source.scene(this.viewer, this.version);
    if (turn === this.turn) this.words(words);
  }

  words(lines) {
    this.part("words").replaceChildren(...lines.map((line) => element("li", {}, line)));
  }

  // Moving on

  /** The nearest mark of these kinds after the present step, or before it. */
  mark(kinds, isForward) {
    const versions = this.outline.marks.filter(({ kind }) => kinds.includes(kind)).map(({ version }) => version);
    if (isForward) return versions.find((version) => version > this.version) ?? this.timeline.last;
    return versions.findLast((version) => version < this.version) ?? this.timeline.first;
  }

  act(name, { isHeld = false, element: pressed } = {}) {
    if (!["play", "skip"].includes(name)) this.pause();
    this.acts(isHeld, pressed)[name]?.();
  }

  /** What can be done, by name; a page that extends this one adds its own. */
  acts(isHeld, pressed) {
    const { timeline } = this;
    return {
      first: () => this.go(timeline.first),
      "previous-turn": () => this.go(this.mark(["turn", "round"], false)),
      previous: () => this.go(this.version - 1),
      play: () => (this.isPlaying ? this.pause() : this.play()),
      next: () => this.go(this.version + 1, !isHeld),
      "next-turn": () => this.go(this.mark(["turn", "round", "end"], true)),
      "previous-round": () => this.go(this.mark(["round"], false)),
      "next-round": () => this.go(this.mark(["round", "end"], true)),
      "next-scoring": () => this.go(this.mark(["scoring", "end"], true)),
      last: () => this.go(timeline.last),
      speed: () => this.faster(),
      share: () => this.share(),
      skip: () => this.board.finish(),
      go: () => this.go(Number(pressed.dataset.to)),
      figures: () => this.figures(pressed),
      against: () => this.against(pressed),
      find: () => this.find(),
      look: () => {
        const menu = pressed.closest("[popover]");
        if (menu?.matches(":popover-open")) menu.hidePopover();
        this.look(pressed.dataset.viewerChoice);
      },
      tab: () => this.tab(pressed),
    };
  }

  async play() {
    this.isPlaying = true;
    this.playing();
    if (!this.hasMore) this.go(this.timeline.first);
    while (this.isPlaying && this.hasMore) {
      await this.onward();
      const isScoring = this.step.marks.some(({ kind }) => kind === "scoring" || kind === "scored");
      await waited((isScoring ? 2 : 1) * REST / this.speed);
    }
    this.pause();
  }

  get hasMore() {
    return this.version < this.timeline.last;
  }

  onward() {
    return this.go(this.version + 1, true);
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.playing();
  }

  playing() {
    const button = this.page.querySelector('[data-act="play"]');
    button.setAttribute("aria-label", this.isPlaying ? this.texts.pause : this.texts.play);
    button.replaceChildren(this.signs.icon(this.isPlaying ? "pause" : "play"));
  }

  faster() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
    this.part("speed").textContent = `${this.speed}×`;
  }

  async share() {
    const toast = this.part("toast");
    try {
      await navigator.clipboard.writeText(this.address());
      toast.textContent = this.texts.copied;
    } catch {
      toast.textContent = this.address();
    }
  }

  /** Another figure beside the board. */
  figures(chosen) {
    this.part("figures").dataset.shown = chosen.dataset.figure;
    for (const other of this.page.querySelectorAll("[data-figure]")) other.setAttribute("aria-pressed", String(other === chosen));
    this.outlined();
  }

  /** Scores as points, or against the average. */
  against(button) {
    this.isPlain = !this.isPlain;
    button.textContent = this.isPlain ? this.texts.asPoints : this.texts.againstAverage;
    this.outlined();
  }

  /** The search, where there is no room for it always. */
  find() {
    this.page.querySelector("main").toggleAttribute("data-finding");
    this.tab(this.page.querySelector('[data-tab="story"]'));
    this.part("search").focus();
  }

  tab(chosen) {
    this.page.querySelector("main").dataset.shown = chosen.dataset.tab;
    for (const tab of this.page.querySelectorAll("[data-tab]")) tab.setAttribute("aria-pressed", String(tab === chosen));
  }

  listen() {
    listen(this.page, (name, how) => this.act(name, how));
    this.board.onrun = (run) => (this.part("skip").hidden = !run || run.length * run.factor < LONG);
    pressable(this.page);
    this.part("search").addEventListener("input", ({ target }) => {
      const found = this.story.search(target.value);
      this.part("found").textContent = target.value.trim() ? said(this.texts.found, { count: found }) : "";
    });
    this.part("words").closest("details").addEventListener("toggle", ({ target }) => target.open && this.inWords());
    this.part("try")?.addEventListener("submit", ({ target }) => this.trying(target));
    this.part("try")?.addEventListener("click", ({ currentTarget }) => this.signingIn(currentTarget));
  }

  /** Moves are tried in a study of this game, from the present step on. */
  trying(form) {
    form.elements.step.value = this.version;
    form.elements.as.value = this.viewer;
  }

  /** Whoever has no account comes back to the present step. */
  signingIn(link) {
    const back = new URLSearchParams({ next: location.pathname + new URL(this.address()).search });
    if (link.href) link.href = `/sign-in?${back}`;
  }
}

function namesOf({ seats, spaces }) {
  return {
    seats: Object.fromEntries(seats.map(({ seat, name }) => [seat, name])),
    spaces: Object.fromEntries(spaces.map(({ space, name }) => [space, name])),
  };
}

/** The address of the frame at another step, which the field holds from now on. */
function frameOf(field, { step, as }) {
  const url = new URL(field.dataset.frame);
  url.search = new URLSearchParams({ step, as });
  return (field.dataset.frame = url.href);
}

function waited(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
