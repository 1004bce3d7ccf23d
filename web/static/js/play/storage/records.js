// Finished games, stored in this browser, and the best of them.

import { readStored, writeStored } from "./browser_storage.js";

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
