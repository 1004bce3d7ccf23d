// Bringing boards into the page: the given one at once, the whole solution when there is one.

import { fill, makeBoard, readGoal, readTiles } from "../board/make_board.js";
import { fetchMoves } from "../board/moves.js";
import { Playback } from "../board/playback.js";
import { Player } from "../board/player.js";

const LONG = 50000; // moves from which on fetching is worth a line of text

/** The board as it was given, before anything is known of its solution. */
export function showBoard(root) {
  const { width, height, board, goal } = root.dataset;
  const host = root.querySelector('[data-part="board"]');
  const tiles = readTiles(board);
  makeBoard(host, Number(width), Number(height), readGoal(goal, tiles.length)).draw(tiles, true);
}

/** Fetch the moves, put the player in place of the still board, and tell the page of them. */
export async function showSolution(root, address, length, words) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const numbers = new Intl.NumberFormat(document.documentElement.lang);
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
  const loading = part("loading");
  const tell = (share) => {
    loading.hidden = length < LONG;
    loading.textContent = fill(words.loading, { moves: numbers.format(length), share: percent.format(share) });
  };
  try {
    tell(0);
    const moves = await fetchMoves(`${address}/solution?format=udlr`, tell);
    const { width, board, goal } = root.dataset;
    const tiles = readTiles(board);
    const playback = new Playback(tiles, Number(width), moves);
    await playback.prepare();
    root.player?.dispose();
    root.player = new Player(part("player"), playback, readGoal(goal, tiles.length), words);
    loading.hidden = true;
    part("files").hidden = false;
    root.dispatchEvent(new CustomEvent("solution", { detail: moves }));
  } catch (error) {
    loading.hidden = false;
    loading.textContent = fill(words.no_moves, { reason: error.message });
  }
}
