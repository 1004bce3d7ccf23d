// The list of a page's keys: "?" opens it, or the button that says so.

const list = document.getElementById("key-list");
const button = document.querySelector('[data-part="show-keys"]');
const WRITING = "input:not([type=radio], [type=checkbox], [type=range], [type=file]), textarea, select, [contenteditable]";

function show() {
  if (!document.querySelector("dialog[open]")) list.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches?.(WRITING)) return; // there it is a letter
  event.preventDefault();
  show();
});
// What is pressed in the list moves nothing on the page behind it.
list.addEventListener("keydown", (event) => event.stopPropagation());
button.addEventListener("click", show);
button.hidden = false;
