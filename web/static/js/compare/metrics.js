// The metric that a chart shows, its format and its scale.

import { roundStep } from "../job/chart.js";
import { formatDuration } from "../job/formats.js";
import { formatRounded } from "../numbers.js";
import { gettext } from "../texts.js";

// Scales of charts: they map values to 0…1 and choose the ticks.

const MAX_POWERS = 5;
const MAX_LINEAR_RATIO = 50; // of the largest to the smallest value; above it, a linear scale hides the smallest

/** Return a logarithmic scale with powers of ten around all values. */
function makeLogScale(values) {
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
function chooseLinearOrLogScale(values) {
  const positive = values.filter((value) => value > 0);
  return Math.max(...positive) > MAX_LINEAR_RATIO * Math.min(...positive) ? makeLogScale(positive) : makeLinearScale(positive);
}

const ALWAYS_LOG = new Set(["generated", "visited", "max_frontier", "duplicates", "memory_bytes"]);
const KIBIBYTE = 1024;

/** Format a figure: times in ms below a second, memory in kB or MB, and rounded counts. */
export function formatRoundedFigure(metric, value) {
  if (metric === "seconds") return formatDuration(value);
  if (metric !== "memory_bytes") return formatRounded(value);
  const kilobytes = value / KIBIBYTE;
  if (kilobytes < KIBIBYTE) return gettext("{count} kB", { count: formatRounded(kilobytes) });
  return gettext("{count} MB", { count: formatRounded(kilobytes / KIBIBYTE) });
}

/** Choose the scale of a metric: logarithmic for counts, and for others if their values differ widely. */
export function chooseScale(metric, values) {
  return ALWAYS_LOG.has(metric) && values.some((value) => value > 0) ? makeLogScale(values) : chooseLinearOrLogScale(values);
}

/** The metric selection and the heading of a chart. */
export class MetricChoice {
  /** @param {HTMLElement} panel @param {() => void} onChange */
  constructor(panel, onChange) {
    this.panel = panel;
    this.select = panel.querySelector('[data-part="metric"]');
    this.select.addEventListener("change", onChange);
  }

  get metric() {
    return this.select.value;
  }

  get name() {
    return this.select.selectedOptions[0].text;
  }

  /** Update the heading. */
  show(title, scale) {
    this.panel.querySelector('[data-part="chart-title"]').textContent = title;
    this.panel.querySelector('[data-part="log"]').hidden = !scale.log;
  }
}
