// The form of an analysis: the board as tiles, moves out of a file, and a game that a page of this
// service hands over in the fragment of the address, which the browser keeps to itself.

import { BoardField } from "../home/board_field.js";
import { fill } from "../board/make_board.js";

const LARGEST_MB = 4;

const words = JSON.parse(document.getElementById("content").dataset.words);
const element = (id) => document.getElementById(id);
const field = new BoardField(element("game-form"), words);

/** Put a game into the fields; a goal without a name among the choices is a board of one's own. */
function take(game) {
  const goal = game.get("goal") ?? "blank-last";
  const named = [...field.goal.options].some(({ value }) => value === goal && value !== "own");
  field.goal.value = named ? goal : "own";
  field.ownGoal.value = named ? "" : goal;
  element("moves").value = game.get("moves") ?? "";
  element("times").value = game.get("times") ?? "";
  element("times-note").hidden = !game.get("times");
  field.setText(game.get("board") ?? "");
}

const handed = new URLSearchParams(location.hash.slice(1));
if (handed.has("board")) {
  // The check of the typed board is loaded with the page; it is asked for only once it is there.
  addEventListener("load", () => take(handed));
  history.replaceState(null, "", location.pathname + location.search);
}

// Times belong to the moves that they came with.
element("moves").addEventListener("input", () => {
  element("times").value = "";
  element("times-note").hidden = true;
});

element("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  target.value = ""; // the same file can be chosen again after it was changed
  if (!file) return;
  if (file.size > LARGEST_MB * 2 ** 20) {
    field.refusal.show(fill(words.too_large, { name: file.name, limit: LARGEST_MB }));
    return;
  }
  try {
    element("moves").value = (await file.text()).trim();
    element("moves").dispatchEvent(new Event("input", { bubbles: true }));
  } catch (error) {
    field.refusal.show(fill(words.no_file, { name: file.name, reason: error.message }));
  }
});
