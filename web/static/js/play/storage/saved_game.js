// Saves the current game in the browser, so that it survives a reload, and its first board in the URL. Daily
// puzzles are saved apart from other games, so that each is continued where the visitor left it.

import { formatBoardLine } from "../../board/board_format.js";
import { formatGoal, isGoalName, makeGoal } from "../game/goals.js";
import { readStored, writeStored } from "./browser_storage.js";

const NAMES = ["daily", "game"];
const SAVE_DELAY_MS = 250;

/** Write the first board and its goal to the URL, so that it can be shared and the language can be changed. */
function updateUrl({ start, goal, width }) {
  const query = new URLSearchParams({ board: formatBoardLine(start, width) });
  const name = formatGoal(goal, width, formatBoardLine);
  if (name !== "blank-last") query.set("goal", name);
  const url = `${location.pathname}?${query}`;
  history.replaceState(null, "", url);
  document.querySelector('.languages [name="next"]').value = url;
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
    writeStored(isDaily(session) ? "daily" : "game", session);
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

export const isDaily = ({ origin }) => origin?.kind === "daily";

/** Whether a saved game has a board and goal. */
export function hasBoard({ start, width, goal }, requested) {
  const isEqual = (first, second) => first.length === second.length && Array.from(first).every((tile, cell) => tile === second[cell]);
  return width === requested.width && isEqual(requested.tiles, start) && isEqual(requested.goal, goal);
}

/**
 * Resume the saved game that is wanted; returns false if there is none.
 * @param {import("../game/session.js").Session} session
 * @param {(savedGame: object) => boolean} isWanted
 */
export function resumeGame(session, isWanted) {
  return NAMES.some((name) => {
    try {
      const savedGame = readStored(name);
      if (!isWanted(savedGame)) return false;
      session.resume(savedGame);
      return true;
    } catch {
      return false; // The stored value was not written by this page.
    }
  });
}
