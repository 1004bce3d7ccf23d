// The form of the lab: the board as tiles, and of each method only the fields that it takes.

import { BoardField } from "../home/board_field.js";

const words = JSON.parse(document.getElementById("content").dataset.words);
const form = document.getElementById("lab-form");

/** Hide what the chosen algorithm does not take, and say what it promises. */
function showWhatApplies(fields) {
  const { dataset } = fields.querySelector("select").selectedOptions[0];
  const taken = { heuristic: dataset.informed === "true", weight: dataset.parameter === "weight", width: dataset.parameter === "width" };
  for (const field of fields.querySelectorAll("[data-for]")) field.hidden = !taken[field.dataset.for];
  fields.querySelector(".method-more").hidden = !Object.values(taken).includes(true);
  fields.querySelector("[data-part=promise]").textContent = dataset.promise ?? "";
  fields.querySelector("[data-part=promise-box]").hidden = !dataset.promise;
}

new BoardField(form, words);
for (const fields of form.querySelectorAll(".method-fields")) {
  showWhatApplies(fields);
  fields.addEventListener("change", () => showWhatApplies(fields));
  for (const hint of fields.querySelectorAll(".method-hint")) hint.hidden = true; // it says what is seen now
}
