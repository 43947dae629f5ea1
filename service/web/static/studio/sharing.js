// Sharing: who may read and write, the link, the files.

import { element, said } from "../replay/dom.js";
import { asked } from "./ask.js";
import { avatar } from "./comments.js";

export class Sharing {
  constructor(dialog, texts, dialogs, hands) {
    Object.assign(this, { dialog, texts, dialogs, hands });
    dialog.addEventListener("change", ({ target }) => {
      if (target.name === "visibility") hands.attempt({ kind: "set_visibility", visibility: target.value });
      if (target.name === "role") hands.attempt({ kind: "set_member", handle: target.dataset.handle, role: target.value });
    });
    dialog.querySelector("[data-part=invite]")?.addEventListener("submit", (event) => this.invite(event));
    dialog.addEventListener("click", (event) => this.pressed(event.target.closest("[data-share]")));
  }

  show(study) {
    this.study = study;
    const isOwner = study.role === "owner", { dialog } = this;
    for (const input of dialog.querySelectorAll("[name=visibility]")) {
      input.checked = input.value === study.visibility;
      input.disabled = !isOwner;
    }
    const link = dialog.querySelector("[data-part=link]");
    link.value = this.link();
    dialog.querySelector("[data-part=link-hint]").textContent = this.texts.linkHint[study.visibility];
    dialog.querySelector("[data-part=members]").replaceChildren(...study.members.map((member) => this.member(member, isOwner)));
  }

  /** The address to pass on: with its key, if that opens the study. */
  link() {
    return new URL(this.study.link ?? location.pathname, location.href).href;
  }

  member({ handle, role }, isOwner) {
    const name = handle ?? this.texts.gone, roles = ["contributor", "reader", ""];
    const shown = role === "owner" || !isOwner || !handle ? element("span", { class: "quiet" }, this.texts.roles[role])
      : element("select", { name: "role", "data-handle": handle, "aria-label": said(this.texts.roleOf, { name }) },
        ...roles.map((each) => element("option", { value: each, selected: each === role }, each ? this.texts.roles[each] : this.texts.removeMember)));
    return element("li", {}, avatar(handle, { "aria-hidden": "true" }), element("span", { translate: "no" }, name), shown);
  }

  async invite(event) {
    event.preventDefault();
    const form = event.target, { handle, role } = form.elements;
    if (await this.hands.attempt({ kind: "set_member", handle: handle.value.trim(), role: role.value })) form.reset();
    handle.focus();
  }

  async pressed(button) {
    const { share } = button?.dataset ?? {};
    if (share === "copy") this.hands.copy(this.link());
    if (share === "leave" && (await this.sure(this.texts.leaveStudy, this.texts.leaveStudyText))) {
      if (await this.hands.attempt({ kind: "leave" })) location.assign("/studies");
    }
    if (share === "delete" && (await this.sure(this.texts.deleteStudy, this.texts.deleteStudyText))) this.hands.remove();
  }

  sure(title, text) {
    return asked(this.dialogs.ask, title, text, title);
  }
}
