// Requests to the API: hints, the best solution, and the analysis of a finished game.

import { formatBoardLine } from "../../board/board.js";
import { formatGoal } from "../game/goals.js";

const URL_PATH = "/api/v1/hints";
const WAITS_S = [0.5, 5, 20]; // of successive requests, until a hint is optimal

/** The server rejected the request; the message is in the visitor's language. */
export class RequestRejected extends Error {}

async function requestHint(cells, width, goal, wait, signal) {
  const request = JSON.stringify({ board: formatBoardLine(cells, width), goal: formatGoal(goal, width, formatBoardLine) });
  const headers = { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang };
  const response = await fetch(`${URL_PATH}?wait=${wait}`, { method: "POST", headers, body: request, signal });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new RequestRejected(body.detail ?? body.title ?? `${response.status} ${response.statusText}`);
  return body;
}

/** Yield increasingly good hints until one is optimal or the time is up. */
export async function* requestHints(cells, width, goal, signal) {
  const board = Array.from(cells); // a copy, because tiles can move meanwhile
  for (const wait of WAITS_S) {
    const hint = await requestHint(board, width, goal, wait, signal);
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
  const headers = { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang };
  const response = await fetch(API, { method: "POST", headers, body: JSON.stringify(game) });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const { id } = await response.json();
  return `${PAGES}/${id}`;
}

/** Return the URL of the form with a game filled in. Browsers do not send the fragment to the server. */
export function makeAnalysisUrl({ times_ms: times, ...game }) {
  const fragment = new URLSearchParams({ ...game, times: times.join(",") });
  return `${FORM}#${fragment}`;
}
