// A file that is dropped anywhere on the page is sent as if it had been chosen.

const form = document.querySelector("[data-drop]"), input = form.querySelector("input[type=file]");

document.addEventListener("dragover", (event) => {
  event.preventDefault();
  form.classList.add("over");
});
document.addEventListener("dragleave", () => form.classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  form.classList.remove("over");
  if (!event.dataTransfer.files.length) return;
  input.files = event.dataTransfer.files;
  form.requestSubmit();
});
