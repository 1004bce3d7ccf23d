// Scales of charts: they map values to 0…1 and choose the ticks.

import { roundStep } from "../job/chart.js";

const MAX_POWERS = 5;
const MAX_LINEAR_RATIO = 50; // of the largest to the smallest value; above it, a linear scale hides the smallest

/** Return a logarithmic scale with powers of ten around all values. */
export function makeLogScale(values) {
  const positive = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...positive)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive))));
  const step = Math.ceil((high - low) / MAX_POWERS);
  const ticks = [];
  for (let power = low; power <= high; power += step) ticks.push(10 ** power);
  return { log: true, ticks, fraction: (value) => (value > 0 ? (Math.log10(value) - low) / (high - low) : 0) };
}

/** Return a linear scale from zero in round steps. */
export function makeLinearScale(values) {
  const max = Math.max(...values) || 1;
  const step = roundStep(max, 4);
  const count = Math.ceil(max / step);
  const ticks = Array.from({ length: count + 1 }, (_, index) => index * step);
  return { log: false, ticks, fraction: (value) => value / (count * step) };
}

/** Return a linear scale, unless it would hide the smallest values. */
export function chooseLinearOrLogScale(values) {
  const positive = values.filter((value) => value > 0);
  return Math.max(...positive) > MAX_LINEAR_RATIO * Math.min(...positive) ? makeLogScale(positive) : makeLinearScale(positive);
}
