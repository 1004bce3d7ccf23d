// Games that were ended, kept in this browser, and the best of them.

import { readKept, writeKept } from "./storage.js";

const NAME = "games";
const MOST_GAMES = 500; // the oldest go first, but for those that are best

/**
 * @typedef {object} EndedGame
 * @property {string} size as `4×4`
 * @property {string} kind difficulty, `given` or `daily`
 * @property {string} [date] of a board of the day
 * @property {string} ended when, as ISO 8601 in UTC
 * @property {string} board first board and goal as the API takes them
 * @property {string} goal
 * @property {string} letters the moves
 * @property {number} moves
 * @property {number} slides
 * @property {number} ms
 */

const FIELDS = { ms: "time", moves: "moves", slides: "slides" };

/** All games kept, the oldest first. */
export function keptGames() {
  const games = readKept(NAME);
  return Array.isArray(games) ? games : [];
}

/** The best of each size and kind: `{size, kind, games, time, moves, slides}`, each with its game. */
export function bestGames(games) {
  const groups = new Map();
  for (const game of games) {
    const name = `${game.size} ${game.kind}`;
    if (!groups.has(name)) groups.set(name, { size: game.size, kind: game.kind, games: 0 });
    const group = groups.get(name);
    group.games += 1;
    for (const [field, best] of Object.entries(FIELDS)) {
      if (!group[best] || game[field] < group[best][field]) group[best] = game;
    }
  }
  return [...groups.values()];
}

/** Keep a game; tells in which of `time`, `moves` and `slides` it is the best of several. */
export function keepGame(game) {
  const games = keptGames(); // anew: another tab may have added some
  const before = bestGames(games).find(({ size, kind }) => size === game.size && kind === game.kind);
  const beaten = before ? Object.entries(FIELDS).filter(([field, best]) => game[field] < before[best][field]).map(([, best]) => best) : [];
  games.push(game);
  writeKept(NAME, games.length > MOST_GAMES ? withoutOldest(games) : games);
  return beaten;
}

function withoutOldest(games) {
  const kept = new Set(bestGames(games).flatMap(({ time, moves, slides }) => [time, moves, slides]));
  const spare = games.length - MOST_GAMES;
  const dropped = new Set(games.filter((game) => !kept.has(game)).slice(0, spare));
  return games.filter((game) => !dropped.has(game));
}
