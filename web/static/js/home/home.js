// The first page: text, tiles, files, scrambles and examples are all ways to fill one text field.

import { boardText, Editor } from "./editor.js";
import { setUpUpload } from "./upload.js";
import { fill, readGoal, readTiles } from "../board/make_board.js";

const page = document.getElementById("content");
const words = JSON.parse(page.dataset.words);
const element = (id) => document.getElementById(id);
const form = element("solve");
const text = element("board");
const goal = element("goal");

const editor = new Editor(element("editor-board"), words, (newText) => setText(newText));

/** Put a board into the field and have it judged. */
function setText(newText) {
  text.value = newText;
  judge();
}

function judge() {
  text.dispatchEvent(new Event("check"));
}

/** Show the judged board as tiles; an unfinished text leaves the last good board standing. */
function showJudged() {
  const verdict = element("verdict").querySelector("[data-tiles]");
  if (!verdict) return;
  const tiles = [...readTiles(verdict.dataset.tiles)];
  const width = Number(verdict.dataset.width);
  editor.show(tiles, width, [...readGoal(verdict.dataset.goal, tiles.length)]);
  element("width").value = width;
  element("height").value = tiles.length / width;
}

function showChoices() {
  element("own-goal").hidden = goal.value !== "own";
  element("gap-field").hidden = form.elements.target.value !== "gap";
}

/** Put the caret where the text is wrong. */
function goTo(line, column) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  const length = /^[^\s,/\[\]()|]*/.exec(text.value.slice(start))[0].length;
  text.focus();
  text.setSelectionRange(start, start + Math.max(1, length));
}

/** Ask for a random board of the size in the fields; `moves` of 0 gives the goal itself. */
async function scramble(moves) {
  const query = { size: `${element("width").value}x${element("height").value}`, moves, goal: goal.value, goal_board: element("goal-board").value };
  try {
    const body = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null));
    const answer = await fetch(element("scramble").dataset.address, { method: "POST", body });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.message);
    setText(said.text);
  } catch (error) {
    showProblem(fill(words.no_scramble, { reason: error.message }));
  }
}

function showProblem(message) {
  const notice = document.createElement("div");
  notice.className = "notice notice-bad";
  const paragraph = notice.appendChild(document.createElement("p"));
  paragraph.textContent = message;
  element("verdict").replaceChildren(notice);
}

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target === element("verdict")) showJudged();
});
element("verdict").addEventListener("click", ({ target }) => {
  if (target.dataset.line) goTo(Number(target.dataset.line), Number(target.dataset.column));
});
form.addEventListener("change", ({ target }) => {
  showChoices();
  if (target !== goal) return;
  const own = element("goal-board");
  if (goal.value === "own" && !own.value.trim() && editor.goal) own.value = boardText(editor.goal, editor.width);
  judge();
});
element("goal-board").addEventListener("input", judge);
element("in-order").addEventListener("click", () => scramble(0));
element("scramble").addEventListener("click", () => scramble(null));
for (const radio of document.getElementsByName("editor-mode")) {
  radio.addEventListener("change", () => editor.setMode(radio.value));
}
for (const example of document.querySelectorAll(".example")) {
  example.addEventListener("click", () => {
    goal.value = example.dataset.goal;
    showChoices();
    setText(example.dataset.board);
    form.scrollIntoView({ block: "start" });
  });
}
element("clear").addEventListener("click", () => {
  setText("");
  text.focus();
});
setUpUpload(element("file"), text, words, setText, showProblem);

element("editor-tools").hidden = false;
element("clear").hidden = false;
showChoices();
