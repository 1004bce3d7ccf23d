// Shows the state, bounds, progress and statistics of a job, and announces them to screen readers.

import { formatDuration, formatEstimate, formatGap, formatMoves, formatRange, formatSlides, roundRatio } from "./formats.js";
import { formatNumber, formatPercent, formatRatio } from "../numbers.js";
import { fill, gettext } from "../texts.js";
import { make } from "../elements.js";

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
  constructor(root) {
    this.icons = { searching: root.dataset.iconSearching, ended: root.dataset.iconEnded };
    this.page = `${root.dataset.pageTitle} · Tilework`;
    this.icon = document.querySelector('link[rel="icon"]');
    this.wasRunning = false;
  }

  show(state, verdict, over) {
    this.wasRunning ||= !over;
    document.title = over ? `${verdict} · ${this.page}` : `${state} · ${verdict} · ${this.page}`;
    if (this.wasRunning) this.icon.href = over ? this.icons.ended : this.icons.searching;
  }
}

const TICK_MS = 1000;
const SEPARATOR = " · "; // between the answer and the bounds in a verdict
// Thresholds increase by two.
const THRESHOLD_STEP = 2;

/** Return the second word of an engine's or a partition's name, with non-breaking hyphens. */
const formatTableName = (name) => name?.split(" ")[1]?.replaceAll("-", "\u2011");

function describeEngine(tables) {
  const descriptions = {
    lines: gettext("Heuristic: linear conflict, no pattern databases."),
    manhattan: gettext("Heuristic: Manhattan distance."),
    slides: gettext("Heuristic: pattern databases of slides."),
    small: gettext("Heuristic: pattern databases built for this board."),
  };
  return descriptions[tables] ?? gettext("Heuristic: pattern databases {tables}.", { tables });
}

/** Whether more time could improve the result of a job that has ended. */
function canContinue({ lower_bound: lower, upper_bound: upper, options: { target, gap: requestedGap }, gap, message_code: messageCode }) {
  if (messageCode === "algorithm-exhausted" || messageCode === "slides-not-counted-out") return false;
  if (upper === null) return true;
  return upper > lower && target !== "any" && !(target === "gap" && gap !== null && gap <= requestedGap);
}

export class StateView {
  constructor(root) {
    this.root = root;
    this.tab = new Tab(root);
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.announcer = new Announcer(this.part("announce"));
    this.inSlides = root.dataset.metric === "slides";
    this.formatLength = this.inSlides ? formatSlides : formatMoves;
    [this.states, this.verdicts] = [root.dataset.states, root.dataset.verdicts].map((text) => JSON.parse(text));
  }

  show(view, over) {
    const { part } = this;
    this.root.classList.toggle("job-over", over);
    part("state").className = `badge badge-${view.state}`;
    part("state").textContent = this.states[view.state];
    part("cached").hidden = !view.cached;
    this.#showVerdict(view, over);
    part("meaning").textContent = this.#explainBounds(view, over);
    part("message").hidden = !view.message;
    part("message").textContent = view.message ?? "";
    part("progress-box").hidden = over;
    part("again").hidden = !over || !canContinue(view);
    this.#showTimeLeft(view, over);
    this.#showTables(view);
    part("certificate").hidden = document.getElementById("tab-certificate").hidden = !over || view.upper_bound === null;
    part("queue-box").hidden = view.queue_position === null;
    part("queue").textContent = view.queue_position === null ? "" : formatNumber(view.queue_position + 1);
    this.#showTime(view, over);
    this.announcer.announce(`${part("state").textContent}: ${part("verdict").textContent}`, `${view.state} ${view.upper_bound === null}`);
    this.tab.show(part("state").textContent, part("verdict").textContent, over);
  }

  #showVerdict(view, over) {
    const [prefix, answer, suffix] = this.#splitVerdict(view, over);
    if (this.part("verdict").textContent !== prefix + answer + suffix) this.part("verdict").replaceChildren(prefix, make("b", {}, answer), suffix);
  }

  /** Return the verdict as the answer, with the text before and after it, as the server does. */
  #splitVerdict({ lower_bound: lower, upper_bound: upper }, over) {
    const { verdicts } = this;
    if (upper === 0) return ["", verdicts.solved, ""];
    if (upper === null) {
      const text = fill(verdicts[over ? "ended" : "open"], { moves: this.formatLength(lower) });
      const end = text.indexOf(SEPARATOR);
      return end < 0 ? ["", text, ""] : ["", text.slice(0, end), text.slice(end)];
    }
    const [prefix, suffix] = verdicts[upper === lower ? "shortest" : "best"].split("{moves}");
    return [prefix, this.formatLength(upper), fill(suffix, { lower: formatNumber(lower) })];
  }

  #explainBounds(view, over) {
    const { inSlides } = this;
    const { state, lower_bound: lower, upper_bound: upper, gap } = view;
    if (state === "queued") return gettext("Waiting for a worker.");
    if (upper === null) return "";
    if (upper === 0) return gettext("The board is already in its goal position.");
    if (upper === lower) return inSlides ? gettext("No solution has fewer slides.") : gettext("No solution is shorter.");
    if (gap === null && !over) return "";
    if (gap === null) return inSlides ? gettext("A solution with fewer slides may exist.") : gettext("A shorter solution may exist.");
    const times = formatRatio(roundRatio(lower, upper));
    if (gap > 1) return inSlides ? gettext("At most {times} times the fewest slides.", { times }) : gettext("At most {times} times the optimal length.", { times });
    const excess = formatGap(lower, upper);
    return inSlides ? gettext("At most {gap} more slides than the fewest.", { gap: excess }) : gettext("At most {gap} over the optimal length.", { gap: excess });
  }

  /** Show the progress within a threshold, or the share of the time if the job improves a solution. */
  #showProgress({ progress, threshold, trials, created_at: createdAt, options: { time_limit_s: limit } }) {
    const bar = this.part("progress");
    const isTimed = threshold === null && trials !== null && limit !== null;
    bar.ariaLabel = isTimed ? gettext("Time used") : gettext("Progress of the search");
    if (isTimed) {
      const used = Math.min(limit, Math.max(0, Date.now() / 1000 - createdAt));
      const [usedText, limitText] = [used, limit].map((seconds) => formatDuration(Math.round(seconds)));
      bar.value = used / limit;
      this.part("progress-text").textContent = gettext("{used} of {limit} used", { used: usedText, limit: limitText });
      return;
    }
    if (threshold === null) bar.removeAttribute("value");
    else bar.value = progress;
    this.part("progress-text").textContent =
      threshold === null ? "" : gettext("Searching for a solution of {threshold} moves: {share} done", { share: formatPercent(progress), threshold: formatNumber(threshold) });
  }

  /** Show how long the proof could take, and whether the job's time limit is too short for it. */
  #showTimeLeft(view, over) {
    const { state, threshold, seconds_left: left, seconds_left_factor: factor, created_at: createdAt, options: { time_limit_s: limit } } = view;
    const { part } = this;
    const thresholdTime = this.#describeThresholdTime(view);
    part("left-box").hidden = over || state === "queued" || threshold === null || (left === null && thresholdTime !== "");
    part("left-threshold").textContent = thresholdTime;
    part("left").textContent = left === null ? gettext("not known yet") : gettext("about {time}", { time: formatEstimate(left) });
    part("left-range").textContent = left === null ? "" : `(${formatRange(left, factor)})`;
    const available = limit === null ? Infinity : createdAt + limit - Date.now() / 1000;
    const tooLong = !over && left !== null && available > 0 && left / factor > available;
    // An estimate can change back and forth: the notice keeps its space once it has been shown.
    const notice = part("limit");
    notice.hidden = over || (notice.hidden && !tooLong);
    notice.classList.toggle("awaited", !tooLong);
    if (tooLong) notice.textContent = gettext("The time limit will be reached in {time}, possibly before the proof is complete; the bounds will be kept.", { time: formatEstimate(available) });
  }

  /** Describe how long the current threshold could take, unless it completes the proof, whose time is shown already. */
  #describeThresholdTime({ finished_at: finishedAt, threshold, upper_bound: upper, seconds_left: proofSeconds, threshold_seconds_left: left, threshold_seconds_left_factor: factor }) {
    if (finishedAt !== null || left === null || (proofSeconds !== null && threshold + THRESHOLD_STEP >= upper)) return "";
    return gettext("· about {time} left ({range})", { time: formatEstimate(left), range: formatRange(left, factor) });
  }

  /** Show the tables that the search uses, and what is being built or compiled for it. */
  #showTables({ engine, building, preparing_s: preparing }) {
    const { part } = this;
    const tables = formatTableName(engine);
    part("engine").hidden = !tables;
    part("engine").textContent = tables ? describeEngine(tables) : "";
    part("building").hidden = !building;
    part("building").textContent = building ? gettext("Building better pattern databases, {tables}: {share}. The search will use them when they are ready.", { tables: formatTableName(building.partition), share: formatPercent(building.fraction) }) : "";
    part("preparing").hidden = !preparing;
    part("preparing").textContent = preparing ? gettext("Compiling the search for the first time on this machine: about {seconds} s. The job's time limit starts afterwards.", { seconds: formatNumber(Math.ceil(preparing)) }) : "";
  }

  #showTime(view, over) {
    clearInterval(this.ticking);
    const startedAt = view.started_at ?? (over ? view.created_at : null); // the clock starts with the search
    this.part("elapsed-box").hidden = view.cached; // nothing was searched
    const update = () => {
      const until = over && view.finished_at !== null ? view.finished_at : Date.now() / 1000;
      this.part("elapsed").textContent = startedAt === null ? "–" : formatDuration(over ? Math.max(0, until - startedAt) : Math.max(0, Math.floor(until - startedAt)));
      if (!over) this.#showProgress(view);
    };
    update();
    if (!over) this.ticking = setInterval(update, TICK_MS);
  }
}
