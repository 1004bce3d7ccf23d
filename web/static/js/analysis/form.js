// The analysis form: the board as tiles, moves from a file, and games passed by the play page in the URL's
// fragment, which the browser does not send.

import { formatBoardLine } from "../board/board.js";
import { blankSteps } from "../board/moves.js";
import { BoardField } from "../home/board_field.js";
import { gettext } from "../texts.js";

// Slidysim replays: a link `…?r=…` with compressed data, or the record of a solve, such as
// `R3DL2U;12.345;…;[0,150,…]` with the time of each move. The letters are the directions of the tiles.

const MIN_LEADERBOARD_FIELDS = 10; // leaderboard replays have at least this many fields; others have fewer
const LETTERS = "UDLR";
const MOVES = /^(?:[UDLR]\d*)+$/;

/**
 * Read a replay; null if the text is something else.
 * @returns {Promise<{board: string, moves: string, times: number[]} | null>}
 */
async function readReplay(text) {
  const [, link] = /[?&]r=([^&#\s]+)/.exec(text) ?? [];
  try {
    if (!link) return parseSolve(text.trim());
    const fields = JSON.parse(await inflate(decodeURIComponent(link)));
    if (fields.length >= MIN_LEADERBOARD_FIELDS) return parseSolve(await inflate(decodeURIComponent(fields[1])));
    const [moves, , scramble, times] = fields;
    return completeReplay(expandMoves(moves), times, scramble);
  } catch {
    return null;
  }
}

/** Parse `moves;seconds;…;[times]`, using only the moves and the times. */
function parseSolve(record) {
  const [moves, ...others] = record.split(";");
  const [, times] = /\[([\d,.]*)/.exec(record) ?? [];
  return MOVES.test(moves) && others.length ? completeReplay(expandMoves(moves), times?.split(",").map(Number)) : null;
}

function expandMoves(moves) {
  return moves.replace(/([UDLR])(\d+)/g, (_, letter, count) => letter.repeat(Number(count)));
}

/** Add the first board if it is missing, and omit times that do not match the moves. */
function completeReplay(moves, times, scramble) {
  const isTimed = Array.isArray(times) && times.length === moves.length && times.every((ms) => ms >= 0);
  return { board: scramble ? scramble.replaceAll("/", "\n") : findFirstBoard(moves), moves, times: isTimed ? computeTimesSinceFirst(times) : [] };
}

/** Return the times since the first move. A list that does not increase contains the duration of each move. */
function computeTimesSinceFirst(times) {
  let sum = 0;
  const increases = times.every((ms, index) => index === 0 || ms >= times[index - 1]);
  const cumulative = increases ? times : times.map((ms) => (sum += ms));
  return cumulative.map((ms) => Math.round(ms - cumulative[0]));
}

/** Return the smallest square board that these moves solve. */
function findFirstBoard(moves) {
  const backwards = Array.from(moves, (letter) => LETTERS.indexOf(letter) ^ 1).reverse();
  let [row, column, height, width] = [0, 0, 1, 1];
  for (const move of backwards) {
    row += [1, -1, 0, 0][move];
    column += [0, 0, 1, -1][move];
    height = Math.max(height, 1 - row);
    width = Math.max(width, 1 - column);
  }
  const side = Math.max(2, height, width);
  const cells = Array.from({ length: side * side }, (_, cell) => (cell + 1) % (side * side));
  const steps = blankSteps(side);
  let blank = cells.length - 1;
  for (const move of backwards) {
    const tile = blank + steps[move];
    [cells[blank], cells[tile]] = [cells[tile], 0];
    blank = tile;
  }
  return formatBoardLine(cells, side);
}

/** Decompress zlib data encoded in Base64. */
async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

const MAX_SIZE_MB = 4;

const element = (id) => document.getElementById(id);
const field = new BoardField(element("game-form"));

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
    field.errorNotice.show(gettext("{name} is larger than {limit} MB.", { name: file.name, limit: MAX_SIZE_MB }));
    return;
  }
  try {
    element("moves").value = (await file.text()).trim();
    element("moves").dispatchEvent(new Event("input", { bubbles: true }));
  } catch (error) {
    field.errorNotice.show(gettext("{name} cannot be read: {reason}", { name: file.name, reason: error.message }));
  }
});
