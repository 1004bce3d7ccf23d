// Scales of charts: they map values to 0…1 and choose the ticks.

import { roundStep } from "../job/chart.js";

const MAX_POWERS = 5;
const WIDE_SPREAD = 50; // ratio of the largest to the smallest value from which a linear scale hides the smallest

/** Return a logarithmic scale with powers of ten around all values. */
export function logScale(values) {
  const known = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...known)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...known))));
  const step = Math.ceil((high - low) / MAX_POWERS);
  const ticks = [];
  for (let power = low; power <= high; power += step) ticks.push(10 ** power);
  return { log: true, ticks, share: (value) => (value > 0 ? (Math.log10(value) - low) / (high - low) : 0) };
}

/** Return a linear scale from zero in round steps. */
export function linearScale(values) {
  const most = Math.max(...values) || 1;
  const step = roundStep(most, 4);
  const count = Math.ceil(most / step);
  const ticks = Array.from({ length: count + 1 }, (_, place) => place * step);
  return { log: false, ticks, share: (value) => value / (count * step) };
}

/** Return a linear scale, unless it would hide the smallest values. */
export function fittingScale(values) {
  const known = values.filter((value) => value > 0);
  return Math.max(...known) > WIDE_SPREAD * Math.min(...known) ? logScale(known) : linearScale(known);
}
