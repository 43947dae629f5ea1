// How the reader wants to be told of the own turn: choices of the account, the same as on its page.

export class NoticeChoices {
  /** @param {TableClient} client @param {{browser: boolean, sound: boolean}} chosen @param changed is told that they are others now */
  constructor(client, chosen, changed) {
    Object.assign(this, { client, chosen, changed });
  }

  get sound() {
    return this.chosen.sound;
  }

  /** A browser that was told never to show any shows none, whatever was chosen. */
  get browser() {
    return this.chosen.browser && permission() !== "denied";
  }

  /** They may have been changed elsewhere: on the account page, in another tab. */
  async read() {
    this.take(await this.client.notices());
  }

  async choose(name, value) {
    this.take(await this.client.chooseNotices({ ...(await this.client.notices()), [name]: value }));
  }

  take(chosen) {
    this.chosen = chosen;
    this.changed();
  }

  /** Asks the reader for permission to show notices. @returns {Promise<boolean>} */
  async allow() {
    this.wasAsked = true;
    return permission() !== "" && (await Notification.requestPermission()) === "granted";
  }

  /** Whether they were chosen, in another browser perhaps, and this one has not been asked yet. */
  get isUnasked() {
    return this.chosen.browser && !this.wasAsked && permission() === "default";
  }
}

/** What this browser says to notices; nothing if it knows none. */
function permission() {
  return globalThis.Notification?.permission ?? "";
}
