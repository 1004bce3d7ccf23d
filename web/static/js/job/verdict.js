// What is known of the shortest solution, in a line; the server's first look has the same words.

import { fill } from "../board/make_board.js";

/** A number of moves with its noun. */
export function movesText(count, words, numbers) {
  const { locale } = numbers.resolvedOptions();
  const form = new Intl.PluralRules(locale).select(count) === "one" ? "one" : "other";
  return fill(words.moves[form], { count: numbers.format(count) });
}

/**
 * @param {{lower_bound: number, upper_bound: number | null}} view
 * @param {boolean} over whether the job has ended
 */
export function verdictText({ lower_bound: lower, upper_bound: upper }, over, words, numbers) {
  if (upper === 0) return words.verdict.solved;
  const open = over ? "ended" : "open";
  const pattern = words.verdict[upper === null ? open : upper === lower ? "shortest" : "best"];
  return fill(pattern, { moves: movesText(upper ?? lower, words, numbers), lower: numbers.format(lower) });
}
