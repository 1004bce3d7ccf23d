// The first page: a board by text, tiles, file, scramble or example, and what is good enough.

import { BoardField } from "./board_field.js";
import { boardText } from "../board/board_text.js";
import { Picture } from "./picture.js";
import { setUpUpload } from "./upload.js";
import { fill } from "../board/make_board.js";

const page = document.getElementById("content");
const words = JSON.parse(page.dataset.words);
const element = (id) => document.getElementById(id);

const field = new BoardField(element("solve"), words, (tiles, width) => {
  element("width").value = width;
  element("height").value = tiles.length / width;
});

/** Ask for a random board of the size in the fields; `moves` of 0 gives the goal itself. */
async function scramble(moves) {
  const query = { size: `${element("width").value}x${element("height").value}`, moves, goal: field.goal.value, goal_board: field.ownGoal.value };
  try {
    const body = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null));
    const answer = await fetch(element("scramble").dataset.address, { method: "POST", body });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.message);
    field.setText(said.text);
  } catch (error) {
    field.refusal.show(fill(words.no_scramble, { reason: error.message }));
  }
}

element("in-order").addEventListener("click", () => scramble(0));
element("scramble").addEventListener("click", () => scramble(null));
for (const side of ["width", "height"]) {
  // Enter in a field would send the form, and with it the board from before.
  element(side).addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    scramble(null);
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) element("solve").requestSubmit();
});
for (const radio of document.getElementsByName("editor-mode")) {
  radio.addEventListener("change", () => field.editor.setMode(radio.value));
}
element("clear").addEventListener("click", () => {
  field.setText("");
  field.text.focus();
});
const picture = new Picture(
  element("picture-status"),
  words,
  (tiles, width) => {
    field.setText(boardText(tiles, width));
    field.text.focus();
  },
  (message) => field.refusal.show(message),
);
setUpUpload(element("file"), field.text, words, (text) => field.setText(text), (message) => field.refusal.show(message), (file) => picture.read(file));
for (const name of ["picture", "camera"]) {
  element(name).addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    target.value = "";
    if (file) await picture.read(file);
  });
}
// A screenshot that was copied.
document.addEventListener("paste", (event) => {
  const [file] = event.clipboardData?.files ?? [];
  if (!file?.type.startsWith("image/")) return;
  event.preventDefault();
  picture.read(file);
});

element("editor-tools").hidden = false;
element("clear").hidden = false;
element("from-picture").hidden = false;
