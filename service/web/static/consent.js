// An app is allowed by a press that was meant for this page. A page of an attacker may lie over this one, ask for a double
// click, and go away between the two: so a press counts only after the page has been in front for a moment.
const allow = document.querySelector("button[value=allow]");
const MOMENT = 700; // ms
let waiting = 0;

function waitAMoment() {
  clearTimeout(waiting);
  allow.setAttribute("aria-disabled", "true");
  waiting = setTimeout(() => allow.removeAttribute("aria-disabled"), MOMENT);
}

allow.addEventListener("click", (press) => {
  if (allow.ariaDisabled === "true") press.preventDefault();
});
for (const front of ["focus", "pageshow"]) window.addEventListener(front, waitAMoment);
document.addEventListener("visibilitychange", waitAMoment);
waitAMoment();
