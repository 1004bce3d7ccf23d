// Requests to the API: hints, the best solution, and the analysis of a finished game.

import { formatBoardLine } from "../../board/board.js";
import { formatGoal } from "../game/goals.js";
import { postJson } from "../../requests.js";

const URL_PATH = "/api/v1/hints";
const WAITS_S = [0.5, 5, 20]; // of successive requests, until a hint is optimal

/** Yield increasingly good hints until one is optimal or the time is up. */
export async function* requestHints(cells, width, goal, signal) {
  // Written at once, because tiles can move meanwhile.
  const question = { board: formatBoardLine(cells, width), goal: formatGoal(goal, width, formatBoardLine) };
  for (const wait of WAITS_S) {
    const hint = await postJson(`${URL_PATH}?wait=${wait}`, question, signal);
    yield hint;
    if (hint.optimal || hint.solved) return;
  }
}

/** Return the first hint with a solution, or null if none is known. */
export async function requestSolution(cells, width, goal, signal) {
  for await (const hint of requestHints(cells, width, goal, signal)) {
    if (hint.moves !== null) return hint;
  }
  return null;
}

const API = "/api/v1/analyses";
const PAGES = "/analyses";
const FORM = "/analyse";

/** Submit a game and return the URL of its analysis. */
export async function requestAnalysis(game) {
  const { id } = await postJson(API, game);
  return `${PAGES}/${id}`;
}

/** Return the URL of the form with a game filled in. Browsers do not send the fragment to the server. */
export function makeAnalysisUrl({ times_ms: times, ...game }) {
  const fragment = new URLSearchParams({ ...game, times: times.join(",") });
  return `${FORM}#${fragment}`;
}
