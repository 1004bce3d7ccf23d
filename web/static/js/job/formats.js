// Formats durations, measured ones to the second and estimates with their range, and results.

import { fill } from "../board/board.js";
import { formatNumber, formatPercent, formatRounded } from "../numbers.js";

// What would be rounded to the next unit is written in it.
const MS_LIMIT_S = 0.9995;
const SECONDS_LIMIT_S = 59.95;

// A unit is used below `limit` seconds.
const UNITS = [
  { name: "seconds", length: 1, limit: 90 },
  { name: "minutes", length: 60, limit: 90 * 60 },
  { name: "hours", length: 3600, limit: 36 * 3600 },
  { name: "days", length: 86400, limit: 700 * 86400 },
  { name: "years", length: 365.25 * 86400, limit: Infinity },
];

/** Format a measured number of seconds. */
export function formatDuration(seconds, texts) {
  if (seconds > 0 && seconds < MS_LIMIT_S) return fill(texts.milliseconds, { count: formatRounded(1000 * seconds) });
  if (seconds < SECONDS_LIMIT_S) return fill(texts.seconds, { count: formatRounded(seconds) });
  const whole = Math.max(60, Math.floor(seconds));
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return fill(texts.minutes, { minutes, seconds: whole % 60 });
  return fill(texts.hours, { hours: formatNumber(Math.floor(minutes / 60)), minutes: minutes % 60 });
}

/** Format a round number of seconds on an axis. */
export function formatTick(seconds, texts) {
  const unit = UNITS.findLast(({ name, length }) => name in texts.rough && length > 1 && seconds > 0 && seconds % length === 0);
  if (!unit) return formatDuration(seconds, texts);
  return formatUnits(seconds / unit.length, unit.name, texts);
}

function formatUnits(count, name, texts) {
  const pattern = (count === 1 && texts.rough_one[name]) || texts.rough[name];
  return fill(pattern, { count: formatNumber(count) });
}

/** Round an estimate to a number of suitable units. */
function roundEstimate(seconds) {
  const unit = UNITS.find(({ limit }) => seconds < limit);
  const count = seconds / unit.length;
  const step = count < 10 ? 1 : count < 100 ? 5 : 10 ** (Math.floor(Math.log10(count)) - 1);
  return { name: unit.name, count: Math.max(1, Math.round(count / step) * step) };
}

/** Format an estimate, such as “4 min”. */
export function formatEstimate(seconds, texts) {
  const { name, count } = roundEstimate(seconds);
  return formatUnits(count, name, texts);
}

/** Format the range within a factor of an estimate, such as “2–9 min” or “40 s – 3 min”. */
export function formatRange(seconds, factor, texts) {
  const [low, high] = [seconds / factor, seconds * factor].map(roundEstimate);
  if (low.name !== high.name) return `${formatEstimate(seconds / factor, texts)} – ${formatEstimate(seconds * factor, texts)}`;
  if (low.count === high.count) return formatEstimate(seconds, texts);
  return fill(texts.rough[low.name], { count: `${formatNumber(low.count)}–${formatNumber(high.count)}` });
}

/** Return the length divided by the bound, rounded up as in Python's `round_ratio`, so that “at most” is true. */
export const roundRatio = (lower, upper) => Math.ceil((1000 * upper) / lower) / 1000;

/** Format the percentage by which a length can exceed the optimal one. */
export function formatGap(lower, upper) {
  return formatPercent(roundRatio(lower, upper) - 1);
}

// The result of a job in one line; the server renders the same text when the page is opened.

/** Format a number of moves with its noun. */
export function formatMoves(count, texts) {
  return formatCount(count, texts.moves);
}

/** Format a number with the singular or the plural of its noun; as on the server, only 1 has the singular. */
export function formatCount(count, { one, other }) {
  return fill(count === 1 ? one : other, { count: formatNumber(count) });
}

const SEPARATOR = " · ";

/**
 * Return the verdict as the answer, with the text before and after it.
 * @param {{lower_bound: number, upper_bound: number | null}} view
 * @param {boolean} over whether the job has ended
 */
export function splitVerdict({ lower_bound: lower, upper_bound: upper }, over, texts) {
  if (upper === 0) return ["", texts.verdict.solved, ""];
  if (upper === null) {
    const text = fill(texts.verdict[over ? "ended" : "open"], { moves: formatMoves(lower, texts) });
    const end = text.indexOf(SEPARATOR);
    return end < 0 ? ["", text, ""] : ["", text.slice(0, end), text.slice(end)];
  }
  const [prefix, suffix] = texts.verdict[upper === lower ? "shortest" : "best"].split("{moves}");
  return [prefix, formatMoves(upper, texts), fill(suffix, { lower: formatNumber(lower) })];
}
