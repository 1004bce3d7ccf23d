// Replays of slidysim: a link `…?r=…` with compressed data, or the record of a solve such as
// `R3DL2U;12.345;…;[0,150,…]` with the time of each move. The letters are the directions of the tiles.

import { formatBoardLine } from "../board/board_format.js";
import { blankSteps } from "../board/moves.js";

const SAVED_FIELDS = 10; // replays of the leaderboard have at least as many, others fewer
const LETTERS = "UDLR";
const MOVES = /^(?:[UDLR]\d*)+$/;

/**
 * Read a replay; null if the text is something else.
 * @param {string} text
 * @returns {Promise<{board: string, moves: string, times: number[]} | null>}
 */
export async function readReplay(text) {
  const [, link] = /[?&]r=([^&#\s]+)/.exec(text) ?? [];
  try {
    if (!link) return parseSolve(text.trim());
    const fields = JSON.parse(await inflate(decodeURIComponent(link)));
    if (fields.length >= SAVED_FIELDS) return parseSolve(await inflate(decodeURIComponent(fields[1])));
    const [moves, , scramble, times] = fields;
    return complete(expand(moves), times, scramble);
  } catch {
    return null;
  }
}

/** Parse `moves;seconds;…;[times]`, of which only the moves and the times matter. */
function parseSolve(record) {
  const [moves, ...others] = record.split(";");
  const [, times] = /\[([\d,.]*)/.exec(record) ?? [];
  return MOVES.test(moves) && others.length ? complete(expand(moves), times?.split(",").map(Number)) : null;
}

function expand(moves) {
  return moves.replace(/([UDLR])(\d+)/g, (_, letter, count) => letter.repeat(Number(count)));
}

/** Add the first board if it is not given, and leave out times that do not fit the moves. */
function complete(moves, times, scramble) {
  const isTimed = Array.isArray(times) && times.length === moves.length && times.every((ms) => ms >= 0);
  return { board: scramble ? scramble.replaceAll("/", "\n") : findFirstBoard(moves), moves, times: isTimed ? sinceFirst(times) : [] };
}

/** Return times since the first move; a list that does not increase contains the time of each move alone. */
function sinceFirst(times) {
  let sum = 0;
  const increases = times.every((ms, place) => place === 0 || ms >= times[place - 1]);
  const totals = increases ? times : times.map((ms) => (sum += ms));
  return totals.map((ms) => Math.round(ms - totals[0]));
}

/** Return the board of the smallest square that these moves solve. */
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

/** Decompress zlib data in base 64. */
async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}
