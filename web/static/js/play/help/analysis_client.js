// Asks the server to analyse a finished game.

const API = "/api/v1/analyses";
const PAGES = "/analyses";
const FORM = "/analyse";

/**
 * @typedef {{board: string, goal: string, moves: string, times_ms: number[]}} PlayedGame
 */

/**
 * Submit a game and return the URL of its analysis.
 * @param {PlayedGame} game
 */
export async function requestAnalysis(game) {
  const headers = { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang };
  const response = await fetch(API, { method: "POST", headers, body: JSON.stringify(game) });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const { id } = await response.json();
  return `${PAGES}/${id}`;
}

/**
 * Return the URL of the form with a game filled in. Browsers do not send the fragment to the server.
 * @param {PlayedGame} game
 */
export function makeAnalysisUrl({ times_ms: times, ...game }) {
  const fragment = new URLSearchParams({ ...game, times: times.join(",") });
  return `${FORM}#${fragment}`;
}
