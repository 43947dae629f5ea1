// Moments in the reader's own zone and language: "today 19:00", "18 Nov 19:00".

const language = document.documentElement.lang;
const near = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

function told(date) {
  const midnight = (day) => new Date(day).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(date) - midnight(Date.now())) / 86400000);
  const time = date.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  if (days === 0) return time;
  if (Math.abs(days) === 1) return `${near.format(days, "day")} ${time}`;
  return `${date.toLocaleDateString(language, { day: "numeric", month: "short" })} ${time}`;
}

/** Every moment of a part of the page. */
export function tellTimes(part = document) {
  for (const each of part.querySelectorAll("time[data-clock]")) {
    each.title = new Date(each.dateTime).toLocaleString(language);
    each.textContent = told(new Date(each.dateTime));
  }
}

tellTimes();
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
new MutationObserver((changes) => {
  if (changes.some((change) => [...change.addedNodes].some((node) => node.querySelector?.("time[data-clock]")))) tellTimes();
}).observe(document.querySelector("main"), { childList: true, subtree: true });
