// The table: the board, the question, the players, the history. It shows what the service says, and knows no rules.

import { Board, calm } from "../replay/board.js";
import { Signs, element, filledWith, painted, said } from "../replay/dom.js";
import { pressable } from "../replay/keys.js";
import { duration } from "../replay/panels.js";
import { StoredGame } from "../replay/source.js";
import { after } from "../replay/timeline.js";
import { Prompt } from "../prompt/prompt.js";
import { Ahead } from "./ahead.js";
import { Alerts } from "./alerts.js";
import { TableClient } from "./client.js";
import { Clocks } from "./clocks.js";
import { Coach } from "./coach.js";
import { Glance } from "./glance.js";
import { History } from "./history.js";
import { Link } from "./link.js";
import { NoticeChoices } from "./notices.js";
import { ring } from "./ring.js";
import { Seats } from "./seats.js";
import { Settings } from "./settings.js";
import { Requests, Waiting } from "./waiting.js";

const TOGETHER = 8; // so many steps at once are seen to happen; more are simply there
const LONG = 1000; // milliseconds of movement after which it can be skipped by a button
const TOLD = 6000; // milliseconds

export class Table {
  /** @param {Element} page with `data-table` @param given what the page brings along @param texts sentences */
  constructor(page, given, texts) {
    const { ground, scene, table, guide, first, spaces, title, ahead, notices } = given, { dataset } = page;
    Object.assign(this, { page, texts, guide, now: table, scene: sceneOf(scene), viewer: dataset.viewer, own: dataset.own || null, looking: 0, accepted: 0, wanted: 0 });
    this.signs = new Signs(dataset.icons);
    this.names = { seats: Object.fromEntries(table.seats.map(({ seat, name }) => [seat, name])), spaces };
    this.client = new TableClient(dataset.game, dataset.csrf, () => this.link.cut());
    this.clocks = new Clocks(this.own, (seconds, isAnnounced) => this.lastSeconds(seconds, isAnnounced));
    this.settings = new Settings({ hints: "newcomer" in dataset, lessons: [] });
    this.board = new Board(page.querySelector("svg[data-board]"), ground);
    this.glance = new Glance(this);
    this.prompt = new Prompt(this.part("prompt"), this.board, texts.prompt, this.signs);
    this.ahead = new Ahead(this, ahead);
    this.seats = new Seats(this);
    this.history = new History(this, new StoredGame(dataset.game), first);
    this.waiting = new Waiting(this);
    this.requests = new Requests(this);
    this.coach = new Coach(this, this.settings);
    this.notices = new NoticeChoices(this.client, notices ?? { browser: false, sound: false }, () => this.menu());
    this.alerts = new Alerts(title, texts, this.notices);
    this.link = new Link(`/api/v1/games/${encodeURIComponent(dataset.game)}`, () => this.now.version, (version) => this.newer(version), (isHeld) => this.connected(isHeld));
  }

  part(name) {
    return document.querySelector(`[data-part="${name}"]`);
  }

  begin() {
    this.listen();
    this.board.frame(this.scene.view);
    this.board.show(this.scene.sprites);
    this.arrive(this.now, true);
    if (this.now.status === "running") this.link.open();
    this.page.dataset.ready = "";
    this.history.read(this.now.version).then(() => this.caughtUp(), () => this.link.cut());
  }

  get isAsked() {
    return this.now.decisions.length > 0;
  }

  /** Names in a row. */
  listed(seats) {
    const names = seats.map((seat) => this.names.seats[seat] ?? seat);
    return names.length < 2 ? names.join("") : said(this.texts.and, { names: names.slice(0, -1).join(", "), last: names.at(-1) });
  }

  // What is new

  /** Reads on to a version, or whatever there is. What comes while it reads is read afterwards, all at once, unless it is known by then. */
  async newer(version = Infinity) {
    if (version <= this.now.version) return;
    if (this.isReading) return void (this.wanted = Math.max(this.wanted, version));
    this.isReading = true;
    try {
      do {
        this.wanted = 0;
        this.grow(await this.client.table(this.now.version));
      } while (this.wanted > this.now.version);
      this.link.tries = 0;
    } catch {
      this.link.cut();
    } finally {
      this.isReading = false;
    }
    return void 0;
  }

  /** The table as it is now, and the steps that have led there. */
  grow(table) {
    const { steps } = table;
    if (table.version < Math.max(this.now.version, this.accepted)) return; // an answer that was overtaken, also by a move of one's own
    const before = this.scene, isFirst = !this.board.running;
    for (const step of steps) this.scene = after(this.scene, step.change);
    painted(() => this.history.add(steps));
    this.heard(steps);
    this.arrive(table, false, steps.length && !this.looking ? before.panels : null);
    if (this.looking || !steps.length) return;
    const isSeen = isFirst && steps.length <= TOGETHER && !this.wasCut && !calm.matches && !document.hidden;
    this.wasCut = false;
    this.move(before, steps, isSeen);
  }

  /** Draws what has changed: the pieces move, or are simply there with a ring. */
  async move(before, steps, isSeen) {
    const changed = [...new Set(steps.flatMap((step) => step.changed))], beats = steps.flatMap((step) => step.beats);
    const { version } = this.now;
    this.board.frame(this.scene.view);
    if (isSeen && beats.length) {
      this.board.show(before.sprites);
      await this.board.play(beats, 1, (seat) => this.page.querySelector(`[data-panel="${CSS.escape(seat)}"]`));
      if (version !== this.now.version || this.looking) return;
    }
    this.board.show(this.scene.sprites, changed);
    this.seats.draw(this.scene, this.now);
    this.clocks.tick();
    this.prompt.redraw();
  }

  /** The last line of a batch is read aloud; time that was given back is marked. */
  heard(steps) {
    const told = steps.at(-1)?.story.map(({ text }) => text).join(". ");
    if (told) this.part("now").textContent = told;
    if (steps.some(({ story }) => story.some(({ fact }) => fact === "clock_credited"))) this.clocks.credit(Object.keys(this.now.clock?.seats ?? {}));
  }

  arrive(table, isFirst, scores = null) {
    const wasAsked = new Set(this.now.decisions.map(({ id }) => id));
    this.now = table;
    this.page.dataset.version = table.version;
    this.page.dataset.status = table.status;
    this.clocks.set(table.clock);
    this.ahead.set(table.ahead);
    this.redraw(scores);
    const isNew = table.decisions.some(({ id }) => !wasAsked.has(id));
    if (isNew && !isFirst) this.alerts.call();
    if (table.status !== "running") this.link.stop();
  }

  /** Everything but the board, as it is now. */
  redraw(scores = null) {
    const { now } = this;
    if (!this.looking) this.seats.draw(this.scene, now, scores);
    this.ask();
    painted(() => this.glance.draw());
    this.waiting.draw();
    this.requests.draw();
    this.coach.teach();
    this.alerts.show(this.isAsked, now.status === "running" ? this.listed(now.asked.seats) : "");
    this.menu();
    this.at();
    this.clocks.tick();
  }

  // The question

  ask() {
    const { now } = this;
    if (this.looking) return this.prompt.suspend();
    if (!this.isAsked) return this.prompt.clear();
    const [{ kind }] = now.decisions, isCounted = this.clocks.isRunning(this.own);
    return this.prompt.ask({ decisions: now.decisions, scene: { ...this.scene, spaces: now.spaces, places: now.cells }, names: this.names }, {
      submit: ({ move }) => this.submit(move),
      preview: (answer) => this.client.preview(answer),
      aside: this.ahead.box(kind),
      mark: isCounted && this.ahead.offer(kind) ? ring() : null,
    });
  }

  async submit(move) {
    const { version } = await this.client.move(move);
    this.accepted = version;
    this.board.finish();
    await this.newer(version);
  }

  /** What happens if the time runs out. */
  async defaultDeed() {
    const [decision] = this.now.decisions;
    if (!decision) return "";
    if (this.defaults?.id !== decision.id) {
      const told = await this.client.preview({ move: decision.default }).catch(() => null);
      this.defaults = { id: decision.id, deed: (told?.told ?? []).join("; ") };
    }
    return this.defaults.deed;
  }

  async lastSeconds(seconds, isAnnounced) {
    const { texts } = this;
    if (isAnnounced) this.part("seconds").textContent = said(texts.secondsLeft, { seconds });
    if (!this.isAsked || seconds > 20) return;
    const deed = await this.defaultDeed();
    this.prompt.remind(deed ? said(texts.inSeconds, { seconds, deed }) : said(texts.inSecondsPlain, { seconds }));
  }

  // Looking back

  look(version) {
    const { history } = this;
    if (!history.has(version) || version < history.first) return;
    if (version >= this.now.version) return this.backToNow();
    this.board.finish();
    this.looking = version;
    this.page.dataset.looking = version;
    const step = history.step(version), scene = history.scene(version);
    this.prompt.suspend();
    this.board.frame(scene.view);
    this.board.show(scene.sprites, version === history.first ? [] : step.changed);
    this.seats.draw(scene, null);
    history.story.now(version);
    this.part("now").textContent = step.story.map(({ text }) => text).join(". ");
    this.redraw();
  }

  backToNow() {
    if (!this.looking) return;
    this.looking = 0;
    delete this.page.dataset.looking;
    this.board.frame(this.scene.view);
    this.board.show(this.scene.sprites);
    if (this.history.story) this.history.now(this.history.last);
    this.redraw();
  }

  step(by) {
    this.look((this.looking || this.now.version) + by);
  }

  at() {
    this.part("at").textContent = this.looking ? said(this.texts.looking, { version: this.looking }) : "";
    this.part("live").classList.toggle("good", !this.looking);
  }

  /** Steps that came while the history was read. */
  caughtUp() {
    this.page.dataset.history = "";
    if (this.history.last < this.now.version) this.history.timeline.read().then((count) => count && this.retell(count));
  }

  retell(count) {
    for (const step of this.history.timeline.steps.slice(-count)) this.history.tell(step);
    this.history.now(this.history.last);
  }

  // The line

  connected(isHeld) {
    const bar = this.part("connection");
    this.wasCut ||= !isHeld;
    this.page.toggleAttribute("data-cut", !isHeld);
    bar.hidden = isHeld;
    bar.textContent = isHeld ? "" : this.texts.lost;
    if (isHeld) this.tell(this.texts.back);
  }

  tell(text) {
    const toast = this.part("toast");
    toast.textContent = text;
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => (toast.textContent = ""), TOLD);
  }

  // Acts

  menu() {
    const { now, texts, settings, notices } = this, back = this.part("take-back");
    if (back) {
      back.hidden = !["at_once", "if_agreed"].includes(now.take_back.may);
      back.querySelector("span").textContent = now.take_back.may === "at_once" ? texts.takeBack : texts.askBack;
    }
    const list = this.part("ahead");
    if (list) filledWith(list, this.ahead.menu());
    const switches = { sound: notices.sound, notices: notices.browser, hints: settings.get("hints") };
    for (const [name, isOn] of Object.entries(switches)) this.part(name)?.setAttribute("aria-checked", String(Boolean(isOn)));
    if (this.part("resign")) this.part("resign").hidden = !now.may_resign;
    if (this.part("pause")) this.part("pause").hidden = now.status !== "running" || Boolean(now.clock?.paused) || Boolean(now.clock?.want_pause.includes(this.own));
  }

  listen() {
    const { page, board } = this;
    document.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("pointerdown", () => board.finish(), true);
    document.addEventListener("keydown", (event) => this.key(event), true);
    if (this.own) this.listenForNotices();
    this.board.onrun = (run) => (this.part("skip").hidden = !run || run.length * run.factor < LONG);
    pressable(page);
  }

  /** Choices that were made elsewhere hold here, too. A browser may be asked for permission only when something is pressed. */
  listenForNotices() {
    document.addEventListener("visibilitychange", () => document.hidden || this.notices.read().catch(() => {}));
    document.addEventListener("click", () => this.notices.isUnasked && this.notices.allow());
  }

  clicked(event) {
    const pressed = event.target.closest?.("[data-act]");
    if (!pressed) return;
    const act = this.acts(pressed)[pressed.dataset.act];
    if (!act) return;
    event.preventDefault();
    pressed.closest("[popover]:popover-open")?.hidePopover();
    act();
  }

  key(event) {
    const isTyped = event.target.closest?.("input,textarea,select,dialog,[contenteditable]");
    this.board.finish();
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyped) return;
    const act = { ",": () => this.step(-1), ".": () => this.step(1), p: () => this.question(), "?": () => this.coach.help() }[event.key];
    const isLeft = event.key === "Escape" && this.looking;
    if (!act && !isLeft) return;
    event.preventDefault();
    if (isLeft) this.backToNow();
    else act();
  }

  /** Leads the keyboard to the question. */
  question() {
    this.backToNow();
    if (this.isAsked) this.prompt.focus();
  }

  acts(pressed) {
    const { dataset } = pressed;
    return {
      skip: () => this.board.finish(),
      previous: () => this.step(-1),
      next: () => this.step(1),
      now: () => this.question(),
      help: () => this.coach.help(),
      tab: () => this.tab(pressed),
      drawer: () => this.part("drawer").toggleAttribute("data-open"),
      card: () => this.cardText(dataset.card),
      plan: () => this.ahead.toggleCard(dataset.card),
      ahead: () => this.ahead.toggle(this.ahead.offer(dataset.decision)),
      ledger: () => this.ledger(dataset.seat),
      learned: () => this.coach.learned(),
      "no-hints": () => this.hints(false),
      hints: () => this.hints(!this.settings.get("hints")),
      sound: () => this.sounds(!this.notices.sound),
      notices: () => this.notify(!this.notices.browser),
      "take-back": () => this.command("/take-back"),
      agree: () => this.command("/take-back", { of: this.now.take_back.by[0] }),
      pause: () => this.command("/pause"),
      resume: () => this.command("/resume"),
      return: () => this.command("/return"),
      resign: () => this.resign(),
    };
  }

  async command(path, body = {}) {
    try {
      await this.client.write("POST", path, body);
      await this.newer();
    } catch (problem) {
      this.tell(problem.message);
    }
  }

  resign() {
    const dialog = document.getElementById("sure");
    dialog.returnValue = "";
    dialog.addEventListener("close", () => dialog.returnValue === "yes" && this.command("/resign"), { once: true });
    dialog.showModal();
  }

  hints(isOn) {
    this.settings.set("hints", isOn);
    if (isOn) this.settings.set("lessons", []);
    this.tell(this.texts.hints[isOn ? "on" : "off"]);
    this.coach.teach();
    this.menu();
  }

  sounds(isOn) {
    if (isOn) this.alerts.sound();
    return this.chosen("sound", isOn, this.texts.sound);
  }

  async notify(isOn) {
    if (isOn && !(await this.notices.allow())) return this.tell(this.texts.notices.denied);
    return this.chosen("browser", isOn, this.texts.notices);
  }

  async chosen(name, isOn, told) {
    try {
      await this.notices.choose(name, isOn);
      this.tell(told[isOn ? "on" : "off"]);
    } catch (problem) {
      this.tell(problem.message);
    }
  }

  tab(chosen) {
    for (const tab of chosen.parentElement.querySelectorAll('[role="tab"]')) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !isChosen;
    }
  }

  cardText(key) {
    const card = this.scene.cards.find((each) => each.key === key), dialog = document.getElementById("card");
    if (!card) return;
    dialog.querySelector("h2").textContent = card.title;
    dialog.querySelector("p").textContent = card.detail ?? card.text ?? "";
    dialog.showModal();
  }

  /** Everything that happened to a clock. */
  async ledger(seat) {
    const { texts: { ledger: texts } } = this, dialog = document.getElementById("ledger");
    const { rows } = await this.client.ledger();
    const own = rows.filter(({ player }) => player === seat).toReversed();
    dialog.querySelector("h2").textContent = said(texts.title, { name: this.names.seats[seat] });
    const head = element("tr", {}, ...["at", "what", "used", "left"].map((name) => element("th", { scope: "col" }, texts[name])));
    const lines = own.map(({ version, what, used_ms, remaining_ms, since, until }) => element("tr", {}, ...[String(version), what.replaceAll("_", " ") + (since ? ` (+${duration(until - since)})` : ""), duration(used_ms), duration(remaining_ms)].map((text) => element("td", {}, text))));
    this.part("ledger").replaceChildren(own.length ? element("table", { class: "num" }, element("thead", {}, head), element("tbody", {}, ...lines)) : element("p", {}, texts.nothing));
    dialog.showModal();
  }
}

function sceneOf({ sprites, panels, cards, rounds, view }) {
  return { view, sprites: new Map(sprites.map((sprite) => [sprite.key, sprite])), panels: new Map(panels.map((panel) => [panel.seat, panel])), cards, rounds };
}
