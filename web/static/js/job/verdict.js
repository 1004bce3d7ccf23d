// The result of a job in one line; the server renders the same text when the page is opened.

import { fill } from "../board/board_rendering.js";

/** Format a number of moves with its noun. */
export function formatMoves(count, words, numbers) {
  const { locale } = numbers.resolvedOptions();
  const form = new Intl.PluralRules(locale).select(count) === "one" ? "one" : "other";
  return fill(words.moves[form], { count: numbers.format(count) });
}

/**
 * @param {{lower_bound: number, upper_bound: number | null}} view
 * @param {boolean} over whether the job has ended
 */
export function formatVerdict({ lower_bound: lower, upper_bound: upper }, over, words, numbers) {
  if (upper === 0) return words.verdict.solved;
  const open = over ? "ended" : "open";
  const pattern = words.verdict[upper === null ? open : upper === lower ? "shortest" : "best"];
  return fill(pattern, { moves: formatMoves(upper ?? lower, words, numbers), lower: numbers.format(lower) });
}
