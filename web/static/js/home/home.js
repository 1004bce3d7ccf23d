// The first page: a board by text, tiles, file, scramble or example, and what is good enough.

import { BoardField } from "./board_field.js";
import { Draft } from "./draft.js";
import { boardText } from "../board/board_text.js";
import { fill } from "../board/make_board.js";

const page = document.getElementById("content");
const words = JSON.parse(page.dataset.words);
const element = (id) => document.getElementById(id);
const form = element("solve");

new Draft(form).restore();
const field = new BoardField(form, words, showBeside);

/** Options lie open where one is not as usual: nobody is to wonder about a goal out of sight. */
function showOptions() {
  const options = element("options");
  const usual = Object.entries(JSON.parse(options.dataset.usual));
  const now = new FormData(form);
  if (usual.some(([name, value]) => now.get(name) !== value)) options.open = true;
}

showOptions();

/** What lies beside the board follows it: its size, where it is played, how many are solved. */
function showBeside(tiles, width, { play, several }) {
  const height = tiles.length / width;
  element("width").value = width;
  element("height").value = height;
  for (const preset of form.querySelectorAll("[data-size]")) {
    preset.setAttribute("aria-pressed", String(width === height && Number(preset.dataset.size) === width));
  }
  const link = element("play");
  if (play) link.href = play;
  else link.removeAttribute("href");
  link.setAttribute("aria-disabled", String(!play));
  showOptions();
  element("solve-it").textContent = several ? fill(words.solve_several, { count: several }) : words.solve_one;
}

let scrambles = 0;

/** Ask for a random board of the size in the fields; `moves` of 0 gives the goal itself. */
async function scramble(moves) {
  scrambles += 1;
  const number = scrambles;
  const query = { size: `${element("width").value}x${element("height").value}`, moves, goal: field.goal.value, goal_board: field.ownGoal.value };
  try {
    const body = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null));
    const answer = await fetch(element("scramble").dataset.address, { method: "POST", body });
    const said = await answer.json();
    // Answers may come in another order than they were asked for: the last one asked for counts.
    if (number !== scrambles) return;
    if (!answer.ok) throw new Error(said.message);
    field.setText(said.text);
  } catch (error) {
    if (number === scrambles) field.refusal.show(fill(words.no_scramble, { reason: error.message }));
  }
}

element("in-order").addEventListener("click", () => scramble(0));
element("scramble").addEventListener("click", () => scramble(null));
for (const preset of form.querySelectorAll("[data-size]")) {
  preset.addEventListener("click", () => {
    element("width").value = element("height").value = preset.dataset.size;
    // A goal of one's own is of another size.
    if (field.goal.value === "own") field.goal.value = "blank-last";
    scramble(null);
  });
}
for (const side of ["width", "height"]) {
  // Enter in a field would send the form, and with it the board from before.
  element(side).addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    scramble(null);
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
for (const radio of document.getElementsByName("editor-mode")) {
  radio.addEventListener("change", () => field.editor.setMode(radio.value));
}
element("clear").addEventListener("click", () => {
  field.setText("");
  field.text.focus();
});

const showProblem = (message) => field.refusal.show(message);

/** Read a picture; what that takes is loaded when the first one comes. */
async function readPicture(file) {
  const { Picture } = await import("./picture.js");
  const useBoard = (tiles, width) => {
    field.setText(boardText(tiles, width));
    field.text.focus();
  };
  await new Picture(element("picture-status"), words, useBoard, showProblem).read(file);
}

async function readFile(file) {
  if (file.type.startsWith("image/")) {
    await readPicture(file);
    return;
  }
  const { readBoardFile } = await import("./upload.js");
  try {
    field.setText(await readBoardFile(file, element("file").dataset.address, words));
  } catch (error) {
    showProblem(error.message);
  }
}

for (const name of ["file", "picture", "camera"]) {
  element(name).addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (file) await (name === "file" ? readFile(file) : readPicture(file));
    target.value = ""; // the same file can be chosen again after it was changed
  });
}
field.text.addEventListener("dragover", (event) => event.preventDefault());
field.text.addEventListener("drop", (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  readFile(file);
});
// A screenshot that was copied.
document.addEventListener("paste", (event) => {
  const [file] = event.clipboardData?.files ?? [];
  if (!file?.type.startsWith("image/")) return;
  event.preventDefault();
  readPicture(file);
});
