// The comparison form: the board as tiles, presets of methods, and the number of selected methods.

import { BoardField } from "../home/board_field.js";
import { fill } from "../board/board.js";

const texts = JSON.parse(document.getElementById("content").dataset.texts);
const form = document.getElementById("compare");
const scramble = document.getElementById("scramble");
const run = document.getElementById("run");
const boxes = [...form.querySelectorAll('[name="method"]')];
let size = "3x3";

const field = new BoardField(form, texts, (tiles, width) => {
  size = `${width}x${tiles.length / width}`;
});

const readHeuristic = ({ value }) => value.split(":")[1];
const PRESETS = {
  default: (box) => "default" in box.dataset,
  searches: (box) => [undefined, "manhattan"].includes(readHeuristic(box)),
  heuristics: (box) => box.value.startsWith("a-star:"),
  none: () => false,
};

function updateCount() {
  const count = boxes.filter((box) => box.checked).length;
  const template = count === 1 ? texts.compare_one : texts.compare_many;
  run.textContent = fill(count ? template : texts.compare_none, { count });
  run.disabled = count === 0;
}

/** Move between the boxes of the matrix with arrow keys, as in any grid. */
function moveFocus(event) {
  const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  if (event.target.type !== "checkbox" || !(event.key in steps)) return;
  event.preventDefault();
  const [across, down] = steps[event.key];
  const cell = event.target.closest("td");
  const rows = [...event.currentTarget.querySelectorAll('tr:has([type="checkbox"])')];
  rows[rows.indexOf(cell.parentElement) + down]?.cells[cell.cellIndex + across]?.querySelector('[type="checkbox"]')?.focus();
}

for (const button of form.querySelectorAll("[data-preset]")) {
  button.addEventListener("click", () => {
    for (const box of boxes) box.checked = PRESETS[button.dataset.preset](box);
    updateCount();
  });
}
form.querySelector(".matrix").addEventListener("keydown", moveFocus);
form.addEventListener("change", updateCount);
scramble.addEventListener("click", () => field.scramble(scramble.dataset.url, size));
// A page from the back-forward cache keeps the state of its boxes.
addEventListener("pageshow", updateCount);

document.getElementById("presets").hidden = false;
scramble.hidden = false;
