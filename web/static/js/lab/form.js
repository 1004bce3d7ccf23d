// The lab form: the board as tiles, and for each method only the fields that apply to it.

import { BoardField } from "../home/board_field.js";

const texts = JSON.parse(document.getElementById("content").dataset.texts);
const form = document.getElementById("lab-form");

/** Hide the fields that do not apply to the selected algorithm, and show its guarantee. */
function showApplicableFields(fields) {
  const { dataset } = fields.querySelector("select").selectedOptions[0];
  const applies = { heuristic: dataset.informed === "true", weight: dataset.parameter === "weight", width: dataset.parameter === "width" };
  for (const field of fields.querySelectorAll("[data-for]")) field.hidden = !applies[field.dataset.for];
  fields.querySelector(".method-more").hidden = !Object.values(applies).includes(true);
  fields.querySelector("[data-part=guarantee]").textContent = dataset.guarantee ?? "";
  fields.querySelector("[data-part=guarantee-box]").hidden = !dataset.guarantee;
}

new BoardField(form, texts);
for (const fields of form.querySelectorAll(".method-fields")) {
  showApplicableFields(fields);
  fields.addEventListener("change", () => showApplicableFields(fields));
  for (const hint of fields.querySelectorAll(".method-hint")) hint.hidden = true; // the fields now show what it says
}
