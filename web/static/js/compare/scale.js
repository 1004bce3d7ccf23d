// Scales of charts: where a value lies between 0 and 1, and the values that are worth a line.

import { roundStep } from "../job/chart.js";

const MOST_POWERS = 5;
const WIDE_SPREAD = 50; // the largest value is so many times the least: a plain scale hides the least

/** Powers of ten around all values. */
export function logScale(values) {
  const known = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...known)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...known))));
  const step = Math.ceil((high - low) / MOST_POWERS);
  const ticks = [];
  for (let power = low; power <= high; power += step) ticks.push(10 ** power);
  return { log: true, ticks, share: (value) => (value > 0 ? (Math.log10(value) - low) / (high - low) : 0) };
}

/** From zero, in round steps; seconds may all be far below one. */
export function plainScale(values) {
  const most = Math.max(...values) || 1;
  const step = roundStep(most, 4);
  const count = Math.ceil(most / step);
  const ticks = Array.from({ length: count + 1 }, (_, place) => place * step);
  return { log: false, ticks, share: (value) => value / (count * step) };
}

/** A plain scale, unless it would hide the least values. */
export function fittingScale(values) {
  const known = values.filter((value) => value > 0);
  return Math.max(...known) > WIDE_SPREAD * Math.min(...known) ? logScale(known) : plainScale(known);
}
