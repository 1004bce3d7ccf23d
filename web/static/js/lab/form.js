// The form of the lab: the board as tiles, presets of methods, and the number of selected methods.

import { BoardField } from "../home/board_field.js";
import { gettext } from "../texts.js";

const form = document.getElementById("lab-form");
const scramble = document.getElementById("scramble");
const run = document.getElementById("run");
const chosen = document.getElementById("chosen");
const search = document.getElementById("find-method");
const groups = [...form.querySelectorAll(".method-group")];
const boxes = [...form.querySelectorAll('[name="method"]')];
let [width, height] = [3, 3];

const field = new BoardField(form, (tiles, columns) => {
  [width, height] = [columns, tiles.length / columns];
});

function nameAction(count) {
  if ("traced" in form.dataset) return gettext("Watch step by step");
  return count === 1 ? gettext("Run 1 method") : gettext("Compare {count} methods", { count });
}

function updateCount() {
  const count = boxes.filter((box) => box.checked).length;
  run.textContent = count ? nameAction(count) : gettext("Choose at least one method");
  run.disabled = count === 0;
}

function rowOf(box) {
  return box.closest("li");
}

/** Show a method among the chosen ones, and continue with the next one found. */
function choose(box) {
  let next = rowOf(box).nextElementSibling;
  while (next?.hidden) next = next.nextElementSibling;
  chosen.append(rowOf(box));
  (next?.querySelector("input") ?? search).focus();
}

function choosePreset(names) {
  for (const box of boxes) box.checked = names.includes(box.value);
  for (const row of [...chosen.children]) groups[row.dataset.group].querySelector("ul").append(row);
  for (const name of names) chosen.append(rowOf(boxes.find((box) => box.value === name)));
  updateCount();
}

/** Show the methods that contain all words. */
function find(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (const group of groups) {
    const rows = [...group.querySelectorAll("li")];
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    group.hidden = rows.every((row) => row.hidden);
    group.open = words.length > 0;
  }
}

for (const button of form.querySelectorAll("[data-methods]")) {
  button.addEventListener("click", () => choosePreset(button.dataset.methods.split(" ")));
}
search.addEventListener("input", () => find(search.value));
search.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
for (const group of groups) group.addEventListener("change", (event) => choose(event.target));
form.addEventListener("change", updateCount);
scramble.addEventListener("click", () => field.scramble(width, height));
// A page from the back-forward cache keeps the state of its boxes.
addEventListener("pageshow", updateCount);

scramble.hidden = false;
