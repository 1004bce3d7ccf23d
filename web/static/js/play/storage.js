// Finished games and the current one, stored in this browser as JSON. The page also works if the browser does not
// allow storage.

import { formatBoardLine } from "../board/board.js";
import { formatGoal, isGoalName, makeGoal } from "./game/goals.js";

const PREFIX = "tilework.play.";

/** Read a stored value; null if there is none or it is invalid. */
export function readStored(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return null;
  }
}

/** Store a value; returns false if the browser does not allow it. */
export function writeStored(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

// Saves the current game in the browser, so that it survives a reload, and its first board in the URL. Daily
// puzzles are saved apart from other games, so that each is continued where the visitor left it.

const NAMES = ["daily", "game"];
const SAVE_DELAY_MS = 250;

/** Write the daily puzzle, or the first board and its goal, to the URL, which can be shared and keeps the game in another language. */
function updateUrl({ game: { start, goal, width }, origin }) {
  const query = new URLSearchParams(origin.kind === "daily" ? { daily: width } : { board: formatBoardLine(start, width) });
  const name = formatGoal(goal, width, formatBoardLine);
  if (!query.has("daily") && name !== "blank-last") query.set("goal", name);
  const url = `${location.pathname}?${query}`;
  history.replaceState(null, "", url);
  document.querySelector('.languages [name="next"]').value = url;
}

/**
 * Parse the board in a URL written by this page, because the offline page has no server to do it.
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
    if (session.game) writeStored(isDaily(session) ? "daily" : "game", session);
  };
  session.addEventListener("started", () => {
    updateUrl(session);
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

const NAME = "games";
const MAX_GAMES = 500; // the oldest are deleted first, except the best

/**
 * @typedef {object} FinishedGame
 * @property {string} size as `4×4`
 * @property {string} kind difficulty, `given` or `daily`
 * @property {string} [date] of a daily puzzle
 * @property {string} ended the time, as ISO 8601 in UTC
 * @property {string} board first board and goal as the API accepts them
 * @property {string} goal
 * @property {string} letters the moves
 * @property {number} moves
 * @property {number} slides
 * @property {number} ms
 */

const FIELDS = { ms: "time", moves: "moves", slides: "slides" };

/** Return all stored games, the oldest first. */
export function loadGames() {
  const games = readStored(NAME);
  return Array.isArray(games) ? games : [];
}

/** Return the best games of each size and kind: `{size, kind, games, time, moves, slides}`. */
export function findBestGames(games) {
  const groups = new Map();
  for (const game of games) {
    const name = `${game.size} ${game.kind}`;
    if (!groups.has(name)) groups.set(name, { size: game.size, kind: game.kind, games: [] });
    const group = groups.get(name);
    group.games.push(game);
    for (const [field, best] of Object.entries(FIELDS)) {
      if (!group[best] || game[field] < group[best][field]) group[best] = game;
    }
  }
  return [...groups.values()];
}

/** Save a game; returns which of `time`, `moves` and `slides` are new records. */
export function saveGame(game) {
  const games = loadGames(); // read again, because another tab can have added some
  const previousBest = findBestGames(games).find(({ size, kind }) => size === game.size && kind === game.kind);
  const brokenRecords = previousBest ? Object.entries(FIELDS).filter(([field, best]) => game[field] < previousBest[best][field]).map(([, best]) => best) : [];
  games.push(game);
  writeStored(NAME, games.length > MAX_GAMES ? dropOldest(games) : games);
  return brokenRecords;
}

function dropOldest(games) {
  const best = new Set(findBestGames(games).flatMap(({ time, moves, slides }) => [time, moves, slides]));
  const excess = games.length - MAX_GAMES;
  const oldest = new Set(games.filter((game) => !best.has(game)).slice(0, excess));
  return games.filter((game) => !oldest.has(game));
}

const DAY_MS = 86_400_000;

/**
 * Return the average time of the last `count` games in milliseconds, without the fastest and the slowest,
 * as in speed-solving competitions; null if there are fewer games.
 */
export function averageTime(games, count) {
  if (games.length < count) return null;
  const times = games.slice(-count).map(({ ms }) => ms).sort((first, second) => first - second);
  return times.slice(1, -1).reduce((sum, ms) => sum + ms, 0) / (count - 2);
}

/**
 * Count the consecutive days on which a daily puzzle was solved.
 * @param {{kind: string, date?: string}[]} games
 * @param {string} today as `2026-01-31`; the current streak may end the day before
 */
export function countStreaks(games, today) {
  const days = [...new Set(games.filter(({ kind }) => kind === "daily").map(({ date }) => Date.parse(date) / DAY_MS))].sort((first, second) => first - second);
  let longest = 0;
  let length = 0;
  days.forEach((day, index) => {
    length = day === days[index - 1] + 1 ? length + 1 : 1;
    longest = Math.max(longest, length);
  });
  const isAlive = Date.parse(today) / DAY_MS - days.at(-1) <= 1;
  return { current: isAlive ? length : 0, longest };
}
