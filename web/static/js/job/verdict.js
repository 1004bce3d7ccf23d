// The result of a job in one line; the server renders the same text when the page is opened.

import { fill } from "../board/board_rendering.js";

/** Format a number of moves with its noun. */
export function formatMoves(count, texts, numbers) {
  return formatCount(count, texts.moves, numbers);
}

/** Format a number with the singular or the plural of its noun; as on the server, only 1 has the singular. */
export function formatCount(count, { one, other }, numbers) {
  return fill(count === 1 ? one : other, { count: numbers.format(count) });
}

const SEPARATOR = " · ";

/**
 * Return the verdict as the answer, with the text before and after it.
 * @param {{lower_bound: number, upper_bound: number | null}} view
 * @param {boolean} over whether the job has ended
 */
export function splitVerdict({ lower_bound: lower, upper_bound: upper }, over, texts, numbers) {
  if (upper === 0) return ["", texts.verdict.solved, ""];
  if (upper === null) {
    const text = fill(texts.verdict[over ? "ended" : "open"], { moves: formatMoves(lower, texts, numbers) });
    const end = text.indexOf(SEPARATOR);
    return end < 0 ? ["", text, ""] : ["", text.slice(0, end), text.slice(end)];
  }
  const [prefix, suffix] = texts.verdict[upper === lower ? "shortest" : "best"].split("{moves}");
  return [prefix, formatMoves(upper, texts, numbers), fill(suffix, { lower: numbers.format(lower) })];
}
