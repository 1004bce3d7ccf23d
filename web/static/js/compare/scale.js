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

/** From zero, or from `least`, in round steps. */
export function plainScale(values, least = 0) {
  const most = Math.max(...values, least + 1);
  const step = roundStep(most - least, 4);
  const ceiling = Math.ceil(most / step) * step;
  const ticks = [];
  for (let value = Math.ceil(least / step) * step; value <= ceiling; value += step) ticks.push(value);
  return { log: false, ticks, share: (value) => (value - least) / (ceiling - least) };
}

/** A plain scale, unless it would hide the least values. */
export function fittingScale(values) {
  const known = values.filter((value) => value > 0);
  return Math.max(...known) > WIDE_SPREAD * Math.min(...known) ? logScale(known) : plainScale(known);
}
