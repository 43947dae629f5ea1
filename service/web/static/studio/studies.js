// The list of studies: a file that is picked or dropped becomes a study; times in the reader's zone.

import { Connection } from "/client/connection.js";

const page = document.querySelector("[data-studies]"), picker = page.querySelector('[data-part="pick"] input');
const LARGEST = 8_000_000; // bytes: more is no study, and the service would refuse it

async function imported(file) {
  const trouble = page.querySelector('[data-part="trouble"]');
  trouble.hidden = true;
  try {
    if (file.size > LARGEST) throw new Error(`${Math.ceil(file.size / 1e6)} MB`);
    const document = await file.text(), format = document.trimStart().startsWith("{") ? "json" : "text";
    const reply = await new Connection("", { retryFor: 0 }).send("POST", "/studies/import", { body: { format, document } });
    location.assign(`/studies/${encodeURIComponent(reply.json().id)}`);
  } catch (problem) {
    trouble.hidden = false;
    trouble.textContent = page.dataset.trouble.replace("{problem}", problem.message);
    trouble.scrollIntoView({ block: "nearest" });
  }
}

function dropping(event) {
  if (!picker || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  page.classList.toggle("dropping", event.type === "dragover");
  if (event.type === "drop") imported(event.dataTransfer.files[0]);
}

picker?.addEventListener("change", () => picker.files[0] && imported(picker.files[0]));
for (const name of ["dragover", "dragleave", "drop"]) document.addEventListener(name, dropping);
const language = document.documentElement.lang, now = new Date(), isRecent = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
for (const time of page.querySelectorAll("[data-at]")) time.textContent = told(new Date(Number(time.dataset.at)));
page.dataset.ready = "";

/** As briefly as can be: the hour of today, yesterday, the day of this year. */
function told(at) {
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days === 0) return `${isRecent.format(0, "day")} ${at.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })}`;
  if (days === 1) return isRecent.format(-1, "day");
  return at.toLocaleDateString(language, { day: "numeric", month: "short", year: at.getFullYear() === now.getFullYear() ? undefined : "numeric" });
}
