// The metric that a chart shows, its format and its scale.

import { fill } from "../board/board_rendering.js";
import { chooseLinearOrLogScale, makeLogScale } from "./scale.js";

const ALWAYS_LOG = new Set(["generated", "visited", "max_frontier", "duplicates", "memory_bytes"]);
const KIBIBYTE = 1024;

/** Formats figures as `format_figure` of the server does: times in ms below a second, memory in kB or MB. */
export class FigureFormatter {
  constructor(texts) {
    this.texts = texts;
    const language = document.documentElement.lang;
    this.short = new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 3 });
    this.precise = new Intl.NumberFormat(language, { minimumSignificantDigits: 2, maximumSignificantDigits: 3 });
    this.branching = new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
    this.numbers = new Intl.NumberFormat(language);
  }

  /** Format a statistic of a run, with all digits of counts. */
  formatFully(metric, value) {
    if (metric === "branching") return this.branching.format(value);
    return metric === "seconds" || metric === "memory_bytes" ? this.format(metric, value) : this.numbers.format(value);
  }

  format(metric, value) {
    if (metric === "seconds") return value < 1 ? this.#formatUnit("milliseconds", value * 1000) : this.#formatUnit("seconds", value);
    if (metric !== "memory_bytes") return this.short.format(value);
    const kilobytes = value / KIBIBYTE;
    return kilobytes < KIBIBYTE ? this.#formatUnit("kilobytes", kilobytes) : this.#formatUnit("megabytes", kilobytes / KIBIBYTE);
  }

  #formatUnit(name, count) {
    return fill(this.texts[name], { count: this.precise.format(count) });
  }
}

/** Choose the scale of a metric: logarithmic for counts, and for others if their values differ widely. */
export function chooseScale(metric, values) {
  return ALWAYS_LOG.has(metric) && values.some((value) => value > 0) ? makeLogScale(values) : chooseLinearOrLogScale(values);
}

/** The metric selection and the heading of a chart. */
export class MetricChoice {
  /** @param {HTMLElement} panel @param {() => void} onChange */
  constructor(panel, texts, onChange) {
    this.panel = panel;
    this.texts = texts;
    this.select = panel.querySelector('[data-part="metric"]');
    this.select.addEventListener("change", onChange);
  }

  get metric() {
    return this.select.value;
  }

  get name() {
    return this.texts.metrics[this.metric];
  }

  /** Update the heading. */
  show(title, scale) {
    this.panel.querySelector('[data-part="chart-title"]').textContent = title;
    this.panel.querySelector('[data-part="log"]').hidden = !scale.log;
  }
}
