// Shows the state, bounds, progress and statistics of a job, and announces them to screen readers.

import { fill } from "../board/board.js";
import { formatDuration, formatEstimate, formatGap, formatRange, roundRatio, splitVerdict } from "./formats.js";
import { formatNumber, formatPercent, formatRatio } from "../numbers.js";

// The status line for screen readers. It always contains what the page shows. It is read aloud when
// something new happens, but not whenever a bound improves.

const MIN_SILENCE_MS = 8000;

class Announcer {
  /** @param {HTMLElement} line a live region */
  constructor(line) {
    this.line = line;
    this.announcedAt = -Infinity;
    this.kind = null;
  }

  /**
   * @param {string} text what the page shows
   * @param {string} kind when it changes, the text is read aloud immediately
   */
  announce(text, kind) {
    if (text === this.text && kind === this.kind) return;
    this.text = text;
    const wait = kind === this.kind ? this.announcedAt + MIN_SILENCE_MS - performance.now() : 0;
    this.kind = kind;
    clearTimeout(this.timer);
    if (wait <= 0) {
      this.#readAloud();
      return;
    }
    this.line.ariaLive = "off";
    this.line.textContent = text;
    this.timer = setTimeout(() => this.#readAloud(), wait);
  }

  #readAloud() {
    this.announcedAt = performance.now();
    this.line.ariaLive = "polite";
    this.line.textContent = this.text; // setting the text reads it aloud even if it is the same
  }
}

// The browser tab: its title shows the state of a running search, and its icon has a dot, which changes at the end.
class Tab {
  constructor(root, texts) {
    this.icons = { searching: root.dataset.iconSearching, ended: root.dataset.iconEnded };
    this.page = `${root.dataset.pageTitle} · Tilework`;
    this.states = texts.states;
    this.icon = document.querySelector('link[rel="icon"]');
    this.wasRunning = false;
  }

  show(state, verdict, over) {
    this.wasRunning ||= !over;
    document.title = over ? `${verdict} · ${this.page}` : `${this.states[state]} · ${verdict} · ${this.page}`;
    if (this.wasRunning) this.icon.href = over ? this.icons.ended : this.icons.searching;
  }
}

const TICK_MS = 1000;
// Thresholds increase by two.
const THRESHOLD_STEP = 2;

/** Return the second word of an engine's or a partition's name, with non-breaking hyphens. */
const formatTableName = (name) => name?.split(" ")[1]?.replaceAll("-", "\u2011");

/** Whether more time could improve the result of a job that has ended. */
function canContinue({ lower_bound: lower, upper_bound: upper, options: { target, gap: requestedGap }, gap, message_code: messageCode }) {
  if (messageCode === "algorithm-exhausted" || messageCode === "slides-not-counted-out") return false;
  if (upper === null) return true;
  return upper > lower && target !== "any" && !(target === "gap" && gap !== null && gap <= requestedGap);
}

export class StateView {
  constructor(root, texts) {
    this.root = root;
    this.texts = texts;
    this.tab = new Tab(root, texts);
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.announcer = new Announcer(this.part("announce"));
  }

  show(view, over) {
    const { part, texts } = this;
    this.root.classList.toggle("job-over", over);
    part("state").className = `badge badge-${view.state}`;
    part("state").textContent = texts.states[view.state];
    part("cached").hidden = !view.cached;
    this.#showVerdict(view, over);
    part("meaning").textContent = this.#explainBounds(view, over);
    part("message").hidden = !view.message;
    part("message").textContent = view.message ?? "";
    part("progress-box").hidden = over;
    part("again").hidden = !over || !canContinue(view);
    this.#showTimeLeft(view, over);
    this.#showTables(view);
    this.#showCertificate(view, over);
    part("queue-box").hidden = view.queue_position === null;
    part("queue").textContent = view.queue_position === null ? "" : formatNumber(view.queue_position + 1);
    this.#showTime(view, over);
    this.announcer.announce(`${part("state").textContent}: ${part("verdict").textContent}`, `${view.state} ${view.upper_bound === null}`);
    this.tab.show(view.state, part("verdict").textContent, over);
  }

  #showVerdict(view, over) {
    const [prefix, answer, suffix] = splitVerdict(view, over, this.texts);
    const emphasis = document.createElement("b");
    emphasis.textContent = answer;
    if (this.part("verdict").textContent !== prefix + answer + suffix) this.part("verdict").replaceChildren(prefix, emphasis, suffix);
  }

  #explainBounds(view, over) {
    const { texts } = this;
    const { state, lower_bound: lower, upper_bound: upper, gap } = view;
    if (state === "queued") return texts.waiting;
    if (upper === null) return "";
    if (upper === 0) return texts.meaning_already_solved;
    if (upper === lower) return texts.meaning_optimal;
    if (gap === null) return over ? texts.meaning_any : "";
    if (gap > 1) return fill(texts.meaning_times, { times: formatRatio(roundRatio(lower, upper)) });
    return fill(texts.meaning_gap, { gap: formatGap(lower, upper) });
  }

  /** Show the progress within a threshold, or the share of the time if the job improves a solution. */
  #showProgress({ progress, threshold, trials, created_at: createdAt, options: { time_limit_s: limit } }) {
    const bar = this.part("progress");
    const isTimed = threshold === null && trials !== null && limit !== null;
    bar.ariaLabel = isTimed ? this.texts.time_used_name : this.texts.progress_name;
    if (isTimed) {
      const used = Math.min(limit, Math.max(0, Date.now() / 1000 - createdAt));
      const [usedText, limitText] = [used, limit].map((seconds) => formatDuration(Math.round(seconds), this.texts));
      bar.value = used / limit;
      this.part("progress-text").textContent = fill(this.texts.time_used, { used: usedText, limit: limitText });
      return;
    }
    if (threshold === null) bar.removeAttribute("value");
    else bar.value = progress;
    this.part("progress-text").textContent =
      threshold === null ? "" : fill(this.texts.progress, { share: formatPercent(progress), threshold: formatNumber(threshold) });
  }

  /** Show how long the proof could take, and whether the job's time limit is too short for it. */
  #showTimeLeft(view, over) {
    const { state, threshold, seconds_left: left, seconds_left_factor: factor, created_at: createdAt, options: { time_limit_s: limit } } = view;
    const { part, texts } = this;
    const thresholdTime = this.#describeThresholdTime(view);
    part("left-box").hidden = over || state === "queued" || threshold === null || (left === null && thresholdTime !== "");
    part("left-threshold").textContent = thresholdTime;
    part("left").textContent = left === null ? texts.left_unknown : fill(texts.left_about, { time: formatEstimate(left, texts) });
    part("left-range").textContent = left === null ? "" : `(${formatRange(left, factor, texts)})`;
    const available = limit === null ? Infinity : createdAt + limit - Date.now() / 1000;
    const tooLong = !over && left !== null && available > 0 && left / factor > available;
    // An estimate can change back and forth: the notice keeps its space once it has been shown.
    const notice = part("limit");
    notice.hidden = over || (notice.hidden && !tooLong);
    notice.classList.toggle("awaited", !tooLong);
    if (tooLong) notice.textContent = fill(texts.limit, { time: formatEstimate(available, texts) });
  }

  /** Describe how long the current threshold could take, unless it completes the proof, whose time is shown already. */
  #describeThresholdTime({ finished_at: finishedAt, threshold, upper_bound: upper, seconds_left: proofSeconds, threshold_seconds_left: left, threshold_seconds_left_factor: factor }) {
    const { texts } = this;
    if (finishedAt !== null || left === null || (proofSeconds !== null && threshold + THRESHOLD_STEP >= upper)) return "";
    return fill(texts.left_threshold, { time: formatEstimate(left, texts), range: formatRange(left, factor, texts) });
  }

  /** Show the tables that the search uses, and what is being built or compiled for it. */
  #showTables({ engine, building, preparing_s: preparing }) {
    const { part, texts } = this;
    const tables = formatTableName(engine);
    part("engine").hidden = !tables;
    part("engine").textContent = tables ? fill(texts.engines[tables] ?? texts.engine_patterns, { tables }) : "";
    part("building").hidden = !building;
    part("building").textContent = building ? fill(texts.building, { tables: formatTableName(building.partition), share: formatPercent(building.fraction) }) : "";
    part("preparing").hidden = !preparing;
    part("preparing").textContent = preparing ? fill(texts.preparing, { seconds: formatNumber(Math.ceil(preparing)) }) : "";
  }

  #showCertificate({ lower_bound: lower, upper_bound: upper }, over) {
    const { part, texts } = this;
    part("certificate").hidden = document.getElementById("tab-certificate").hidden = !over || upper === null;
    part("certificate-text").textContent =
      upper === lower ? texts.certificate_optimal : fill(texts.certificate_bounded, { lower: formatNumber(lower) });
  }

  #showTime(view, over) {
    clearInterval(this.ticking);
    const startedAt = view.started_at ?? (over ? view.created_at : null); // the clock starts with the search
    this.part("elapsed-box").hidden = view.cached; // nothing was searched
    const update = () => {
      const until = over && view.finished_at !== null ? view.finished_at : Date.now() / 1000;
      this.part("elapsed").textContent = startedAt === null ? "–" : formatDuration(over ? Math.max(0, until - startedAt) : Math.max(0, Math.floor(until - startedAt)), this.texts);
      if (!over) this.#showProgress(view);
    };
    update();
    if (!over) this.ticking = setInterval(update, TICK_MS);
  }
}
