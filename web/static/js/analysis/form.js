// The analysis form: the board as tiles, moves from a file, and games passed by the play page in the URL's
// fragment, which the browser does not send.

import { BoardField } from "../home/board_field.js";
import { fill } from "../board/board_rendering.js";
import { readReplay } from "./slidysim.js";

const MAX_SIZE_MB = 4;

const texts = JSON.parse(document.getElementById("content").dataset.texts);
const element = (id) => document.getElementById(id);
const field = new BoardField(element("game-form"), texts);

/** Fill in a game; a goal that is not among the options becomes a custom goal. */
function fillIn(game) {
  const goal = game.get("goal") ?? "blank-last";
  const isOption = [...field.goal.options].some(({ value }) => value === goal && value !== "own");
  field.goal.value = isOption ? goal : "own";
  field.customGoal.value = isOption ? "" : goal;
  element("moves").value = game.get("moves") ?? "";
  element("times").value = game.get("times") ?? "";
  element("times-note").hidden = !game.get("times");
  field.setText(game.get("board") ?? "");
}

const linkedGame = new URLSearchParams(location.hash.slice(1));
if (linkedGame.has("board")) {
  // Wait until the page is loaded, because filling in checks the board.
  addEventListener("load", () => fillIn(linkedGame));
  history.replaceState(null, "", location.pathname + location.search);
}

// The times belong to the original moves.
element("moves").addEventListener("input", async ({ target }) => {
  element("times").value = "";
  element("times-note").hidden = true;
  const text = target.value;
  const replay = await readReplay(text);
  if (replay && target.value === text) fillIn(new Map(Object.entries({ ...replay, times: replay.times.join(",") })));
});

element("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  target.value = ""; // so that the same file can be chosen again after a change
  if (!file) return;
  if (file.size > MAX_SIZE_MB * 2 ** 20) {
    field.errorNotice.show(fill(texts.too_large, { name: file.name, limit: MAX_SIZE_MB }));
    return;
  }
  try {
    element("moves").value = (await file.text()).trim();
    element("moves").dispatchEvent(new Event("input", { bubbles: true }));
  } catch (error) {
    field.errorNotice.show(fill(texts.no_file, { name: file.name, reason: error.message }));
  }
});
