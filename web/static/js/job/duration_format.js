// Formats durations: measured ones to the second, estimates with their range.

import { fill } from "../board/board_rendering.js";

// `most` is the number of seconds up to which a unit is used.
const UNITS = [
  { name: "seconds", length: 1, most: 90 },
  { name: "minutes", length: 60, most: 90 * 60 },
  { name: "hours", length: 3600, most: 36 * 3600 },
  { name: "days", length: 86400, most: 700 * 86400 },
  { name: "years", length: 365.25 * 86400, most: Infinity },
];

/** Format a measured number of seconds. */
export function formatDuration(seconds, words, numbers) {
  if (seconds < 60) return fill(words.seconds, { seconds: numbers.format(seconds < 10 ? Math.round(seconds * 100) / 100 : Math.round(seconds)) });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return fill(words.minutes, { minutes, seconds: Math.floor(seconds % 60) });
  return fill(words.hours, { hours: numbers.format(Math.floor(minutes / 60)), minutes: minutes % 60 });
}

/** Format a round number of seconds at an axis. */
export function formatTick(seconds, words, numbers) {
  const unit = UNITS.findLast(({ name, length }) => name in words.rough && length > 1 && seconds > 0 && seconds % length === 0);
  if (!unit) return formatDuration(seconds, words, numbers);
  return fill(words.rough[unit.name], { count: numbers.format(seconds / unit.length) });
}

/** Round an estimate to a count of a suitable unit. */
function roundEstimate(seconds) {
  const unit = UNITS.find(({ most }) => seconds < most);
  const count = seconds / unit.length;
  const step = count < 10 ? 1 : count < 100 ? 5 : 10 ** (Math.floor(Math.log10(count)) - 1);
  return { name: unit.name, count: Math.max(1, Math.round(count / step) * step) };
}

/** Format an estimate, such as “4 min”. */
export function formatEstimate(seconds, words, numbers) {
  const { name, count } = roundEstimate(seconds);
  return fill(words.rough[name], { count: numbers.format(count) });
}

/** Format the range within a factor of an estimate, such as “2–9 min” or “40 s – 3 min”. */
export function formatRange(seconds, factor, words, numbers) {
  const [low, high] = [seconds / factor, seconds * factor].map(roundEstimate);
  if (low.name !== high.name) return `${formatEstimate(seconds / factor, words, numbers)} – ${formatEstimate(seconds * factor, words, numbers)}`;
  if (low.count === high.count) return formatEstimate(seconds, words, numbers);
  return fill(words.rough[low.name], { count: `${numbers.format(low.count)}–${numbers.format(high.count)}` });
}
