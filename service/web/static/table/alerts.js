// How a player who looks elsewhere learns of the own turn: the title, a sound, a notice of the browser. All but the title
// are off until they are switched on.

import { said } from "../replay/dom.js";

const TONES = [[523.25, 0], [783.99, 0.16]]; // hertz, and seconds after the first
const LENGTH = 0.5;

export class Alerts {
  constructor(title, texts, notices) {
    Object.assign(this, { title, texts, notices });
  }

  /** @param isMine whether the reader is asked @param names of those who are, for the title */
  show(isMine, names) {
    const { title, texts } = this;
    document.title = isMine ? said(texts.yourTurnAt, { title }) : names ? said(texts.turnOf, { names, title }) : title;
  }

  /** A question has just come. */
  call() {
    if (this.notices.sound) this.sound();
    if (this.notices.browser && document.hidden) this.notice();
  }

  sound() {
    const Context = globalThis.AudioContext;
    if (!Context) return;
    const context = this.context ??= new Context();
    for (const [frequency, after] of TONES) this.tone(context, frequency, context.currentTime + after);
  }

  tone(context, frequency, at) {
    const tone = context.createOscillator(), loudness = context.createGain();
    tone.type = "sine";
    tone.frequency.value = frequency;
    loudness.gain.setValueAtTime(0.0001, at);
    loudness.gain.exponentialRampToValueAtTime(0.16, at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + LENGTH);
    tone.connect(loudness).connect(context.destination);
    tone.start(at);
    tone.stop(at + LENGTH);
  }

  notice() {
    const { title, texts } = this;
    try {
      const notice = new Notification(texts.yourTurn, { body: said(texts.notices.body, { title }), tag: location.pathname });
      notice.addEventListener("click", () => {
        focus();
        notice.close();
      });
    } catch {
      // Some browsers want another program for it: the title and the sound must do.
    }
  }
}
