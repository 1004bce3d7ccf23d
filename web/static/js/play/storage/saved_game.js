// Saves the current game in the browser, so that it survives a reload, and its first board in the URL.

import { formatBoardLine } from "../../board/board_format.js";
import { formatGoal, isGoalName, makeGoal } from "../game/goals.js";
import { readStored, writeStored } from "./browser_storage.js";

const NAME = "game";
const SAVE_DELAY_MS = 250;

/** Write the first board and its goal to the URL, so that it can be shared. */
function updateUrl({ start, goal, width }) {
  const query = new URLSearchParams({ board: formatBoardLine(start, width) });
  const name = formatGoal(goal, width, formatBoardLine);
  if (name !== "blank-last") query.set("goal", name);
  history.replaceState(null, "", `${location.pathname}?${query}`);
}

/**
 * Parse the board in a URL written by this page, because the offline page has no server to do it.
 * @param {string} query
 * @returns {{tiles: number[], width: number, goal: number[]} | null} null if there is none
 */
export function parseBoardQuery(query) {
  const params = new URLSearchParams(query);
  const board = parseBoardLine(params.get("board") ?? "");
  if (!board) return null;
  const { tiles, width } = board;
  const goal = params.get("goal") ?? "blank-last";
  if (isGoalName(goal)) return { tiles, width, goal: makeGoal(goal, width, tiles.length / width) };
  const customGoal = parseBoardLine(goal);
  return customGoal && customGoal.width === width && customGoal.tiles.length === tiles.length ? { tiles, width, goal: customGoal.tiles } : null;
}

/** Parse a line written by `formatBoardLine`. */
function parseBoardLine(text) {
  const [, across, down, line] = /^(?:(\d+)x(\d+): )?([\d ]+)$/.exec(text) ?? [];
  const tiles = (line ?? "").split(" ").map(Number);
  const width = across ? Number(across) : Math.sqrt(tiles.length);
  const isComplete = tiles.length > 1 && width * (down ? Number(down) : width) === tiles.length;
  const isPermutation = new Set(tiles).size === tiles.length && tiles.every((tile) => tile < tiles.length);
  return isComplete && isPermutation ? { tiles, width } : null;
}

/** Save the session after each change. */
export function autosaveSession(session) {
  let timer = null;
  const save = () => {
    clearTimeout(timer);
    timer = null;
    writeStored(NAME, session);
  };
  session.addEventListener("started", () => {
    updateUrl(session.game);
    save();
  });
  session.addEventListener("moved", () => {
    timer ??= setTimeout(save, SAVE_DELAY_MS);
  });
  addEventListener("pagehide", save);
}

/**
 * Return the saved game if it has the requested board.
 * @param {{tiles: ArrayLike<number>, width: number, goal: ArrayLike<number>} | null} requested null for any
 */
export function loadSavedGame(requested) {
  const savedGame = readStored(NAME);
  const isEqual = (first, second) => first.length === second.length && Array.from(first).every((tile, cell) => tile === second[cell]);
  try {
    if (!requested || (savedGame.width === requested.width && isEqual(requested.tiles, savedGame.start) && isEqual(requested.goal, savedGame.goal))) return savedGame;
  } catch {
    // The stored value was not written by this page.
  }
  return null;
}
