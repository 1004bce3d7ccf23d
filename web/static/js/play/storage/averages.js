// Averages of the last games, and streaks of daily puzzles.

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
