// A page that tells of trouble asks again when it is told to, counts the seconds until then, and how often it has asked.
const bar = document.querySelector("[data-retry]");
const words = bar.querySelector("span");
const { retry, sentence, tried, since } = bar.dataset;
const name = `trouble ${location.pathname}`;
const before = JSON.parse(sessionStorage.getItem(name) ?? "null");
const isFresh = !before || Date.now() - before.last > 600000;
const trouble = isFresh ? { began: Date.now(), tries: 1 } : { ...before, tries: before.tries + 1 };
sessionStorage.setItem(name, JSON.stringify({ ...trouble, last: Date.now() }));

if (since) {
  const time = new Date(trouble.began).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  document.querySelector("[data-eyebrow]").textContent = since.replace("{time}", time);
}

let left = Math.min(60, Math.max(1, Number(retry)) * trouble.tries);
const count = () => {
  words.textContent = `${sentence.replace("{seconds}", String(left))} · ${tried.replace("{count}", String(trouble.tries))}`;
  if (left === 0) return location.reload();
  left -= 1;
  setTimeout(count, 1000);
};
count();
