// The service's word on a board: the best next move known, and how much remains.

import { boardLine } from "../../board/board_text.js";
import { goalText } from "../game/goals.js";

const ADDRESS = "/api/v1/hints";
const WAITS_S = [0.5, 5, 20]; // one after the other, until nothing is left to be found

/**
 * @typedef {object} Hint
 * @property {boolean} solved
 * @property {number | null} tile
 * @property {string | null} direction
 * @property {number} lower_bound
 * @property {number | null} upper_bound
 * @property {boolean} optimal
 * @property {string | null} moves the whole rest
 */

/** The service refused, and said why in the visitor's language. */
export class Refused extends Error {}

async function ask(cells, width, goal, wait, signal) {
  const body = JSON.stringify({ board: boardLine(cells, width), goal: goalText(goal, width, boardLine) });
  const headers = { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang };
  const answer = await fetch(`${ADDRESS}?wait=${wait}`, { method: "POST", headers, body, signal });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(said.detail ?? said.title ?? `${answer.status} ${answer.statusText}`);
  return said;
}

/**
 * Ask until the answer is proved, or for as long as is worth it; each answer is given away as it comes.
 * @param {ArrayLike<number>} cells
 * @param {number} width
 * @param {ArrayLike<number>} goal
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<Hint>}
 */
export async function* hints(cells, width, goal, signal) {
  const board = Array.from(cells); // as it is now; tiles may move meanwhile
  for (const wait of WAITS_S) {
    const hint = await ask(board, width, goal, wait, signal);
    yield hint;
    if (hint.optimal || hint.solved) return;
  }
}

/** The last of the answers that is worth showing; null where no way is known. */
export async function bestKnown(cells, width, goal, signal, isEnough = (hint) => hint.optimal) {
  let best = null;
  for await (const hint of hints(cells, width, goal, signal)) {
    if (hint.moves !== null) best = hint;
    if (best && isEnough(best)) break;
  }
  return best;
}
