// Formats durations, measured ones to the second and estimates with their range, lengths, and names.

import { formatNumber, formatPercent, formatRounded } from "../numbers.js";
import { gettext, ngettext } from "../texts.js";

// What would be rounded to the next unit is written in it.
const MS_LIMIT_S = 0.9995;
const SECONDS_LIMIT_S = 59.95;

// A unit is used below `limit` seconds.
const UNITS = [
  { length: 1, limit: 90, format: (count) => gettext("{count} s", { count }) },
  { length: 60, limit: 90 * 60, format: (count) => gettext("{count} min", { count }) },
  { length: 3600, limit: 36 * 3600, format: (count) => gettext("{count} h", { count }) },
  { length: 86400, limit: 700 * 86400, format: (count) => (count === "1" ? gettext("{count} day", { count }) : gettext("{count} days", { count })) },
  { length: 365.25 * 86400, limit: Infinity, format: (count) => (count === "1" ? gettext("{count} year", { count }) : gettext("{count} years", { count })) },
];

/** Format a measured number of seconds. */
export function formatDuration(seconds) {
  if (seconds > 0 && seconds < MS_LIMIT_S) return gettext("{count} ms", { count: formatRounded(1000 * seconds) });
  if (seconds < SECONDS_LIMIT_S) return gettext("{count} s", { count: formatRounded(seconds) });
  const whole = Math.max(60, Math.floor(seconds));
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return gettext("{minutes} min {seconds} s", { minutes, seconds: whole % 60 });
  return gettext("{hours} h {minutes} min", { hours: formatNumber(Math.floor(minutes / 60)), minutes: minutes % 60 });
}

/** Format a round number of seconds on an axis. */
export function formatTick(seconds) {
  const unit = UNITS.findLast(({ length }) => length > 1 && seconds > 0 && seconds % length === 0);
  return unit ? unit.format(formatNumber(seconds / unit.length)) : formatDuration(seconds);
}

/** Round an estimate to a number of suitable units. */
function roundEstimate(seconds) {
  const unit = UNITS.find(({ limit }) => seconds < limit);
  const count = seconds / unit.length;
  const step = count < 10 ? 1 : count < 100 ? 5 : 10 ** (Math.floor(Math.log10(count)) - 1);
  return { unit, count: formatNumber(Math.max(1, Math.round(count / step) * step)) };
}

/** Format an estimate, such as “4 min”. */
export function formatEstimate(seconds) {
  const { unit, count } = roundEstimate(seconds);
  return unit.format(count);
}

/** Format the range within a factor of an estimate, such as “2–9 min” or “40 s – 3 min”. */
export function formatRange(seconds, factor) {
  const [low, high] = [seconds / factor, seconds * factor].map(roundEstimate);
  if (low.unit !== high.unit) return `${low.unit.format(low.count)} – ${high.unit.format(high.count)}`;
  return low.unit.format(low.count === high.count ? low.count : `${low.count}–${high.count}`);
}

/** Return the length divided by the bound, rounded up as in Python's `round_ratio`, so that “at most” is true. */
export const roundRatio = (lower, upper) => Math.ceil((1000 * upper) / lower) / 1000;

/** Format the percentage by which a length can exceed the optimal one. */
export function formatGap(lower, upper) {
  return formatPercent(roundRatio(lower, upper) - 1);
}

/** Format a number of moves with its noun. */
export const formatMoves = (count) => ngettext("{count} move", "{count} moves", count);

/** Format a number of slides with its noun. */
export const formatSlides = (count) => ngettext("{count} slide", "{count} slides", count);

/** Return the name of what found a solution. */
export function nameMethod(method) {
  const names = {
    "a-star": "A*",
    "ida-star": "IDA*",
    constructive: gettext("Constructive"),
    sweep: gettext("Line by line"),
    beam: gettext("Beam search"),
    aimed: gettext("Aimed beam search"),
    fresh: gettext("Another solution"),
    suffix: gettext("Beginnings and ends"),
    windows: gettext("Shortcuts"),
  };
  return names[method] ?? method;
}
