// The game that goes on after a reload. It lies in the browser alone; the address holds its first board.

import { boardLine } from "../../board/board_text.js";
import { goalText, hasName, namedGoal } from "../game/goals.js";
import { readKept, writeKept } from "./storage.js";

const NAME = "game";
const SAVE_MS = 250;

/** Write the first board and its goal into the address, so that it can be sent to others. */
function writeAddress({ start, goal, width }) {
  const query = new URLSearchParams({ board: boardLine(start, width) });
  const name = goalText(goal, width, boardLine);
  if (name !== "blank-last") query.set("goal", name);
  history.replaceState(null, "", `${location.pathname}?${query}`);
}

/**
 * The board of an address that this page has written: what a page that was kept has to go by.
 * @param {string} query
 * @returns {{tiles: number[], width: number, goal: number[]} | null} null where there is none
 */
export function boardInAddress(query) {
  const asked = new URLSearchParams(query);
  const board = readLine(asked.get("board") ?? "");
  if (!board) return null;
  const { tiles, width } = board;
  const goal = asked.get("goal") ?? "blank-last";
  if (hasName(goal)) return { tiles, width, goal: namedGoal(goal, width, tiles.length / width) };
  const own = readLine(goal);
  return own && own.width === width && own.tiles.length === tiles.length ? { tiles, width, goal: own.tiles } : null;
}

/** Tiles on one line, as `boardLine` writes them. */
function readLine(text) {
  const [, across, down, line] = /^(?:(\d+)x(\d+): )?([\d ]+)$/.exec(text) ?? [];
  const tiles = (line ?? "").split(" ").map(Number);
  const width = across ? Number(across) : Math.sqrt(tiles.length);
  const whole = tiles.length > 1 && width * (down ? Number(down) : width) === tiles.length;
  const all = new Set(tiles).size === tiles.length && tiles.every((tile) => tile < tiles.length);
  return whole && all ? { tiles, width } : null;
}

/** Keep the session as it goes on. */
export function keepSession(session) {
  let waiting = null;
  const save = () => {
    clearTimeout(waiting);
    waiting = null;
    writeKept(NAME, session);
  };
  session.addEventListener("begun", () => {
    writeAddress(session.game);
    save();
  });
  session.addEventListener("moved", () => {
    waiting ??= setTimeout(save, SAVE_MS);
  });
  addEventListener("pagehide", save);
}

/**
 * The kept game, if it is that of a board.
 * @param {{tiles: ArrayLike<number>, width: number, goal: ArrayLike<number>} | null} asked null for any
 */
export function savedGame(asked) {
  const saved = readKept(NAME);
  const same = (one, other) => one.length === other.length && Array.from(one).every((tile, cell) => tile === other[cell]);
  try {
    if (!asked || (saved.width === asked.width && same(asked.tiles, saved.start) && same(asked.goal, saved.goal))) return saved;
  } catch {
    // Whatever lies there was not written by this page.
  }
  return null;
}
