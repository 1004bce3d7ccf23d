// The dialog with the page's keyboard shortcuts, opened by "?" or its button.

const list = document.getElementById("key-list");
const button = document.querySelector('[data-part="show-keys"]');
const TEXT_FIELDS = "input:not([type=radio], [type=checkbox], [type=range], [type=file]), textarea, select, [contenteditable]";

function show() {
  if (!document.querySelector("dialog[open]")) list.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches?.(TEXT_FIELDS)) return; // "?" is input for the field
  event.preventDefault();
  show();
});
// Keys pressed in the dialog must not act on the page behind it.
list.addEventListener("keydown", (event) => event.stopPropagation());
button.addEventListener("click", show);
button.hidden = false;
