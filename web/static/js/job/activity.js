// What the workers are doing: nodes and speed, which change while they search, and the work of each. Workers
// report every two seconds; after a report, the count goes up to it steadily, and never beyond it.

import { draw } from "./chart.js";
import { formatDuration, formatEstimate, nameMethod } from "./formats.js";
import { formatNumber, formatRounded } from "../numbers.js";
import { fill, gettext } from "../texts.js";
import { make, makeRow } from "../elements.js";

const POLL_MS = 1000;
const TICK_MS = 200;
const WINDOW_S = 10; // over which the speed is measured
const MIN_SPAN_S = 3;
const MAX_CATCH_UP_S = 2.5; // until the count has reached the last report
const MAX_LINES = 4;
const MAX_EXCESS = 0.1; // of the time of the search over that of the job
const MIN_SEARCH_S = 1; // the speed of a shorter search means nothing
const IDLE_POLLS = 3; // workers pause briefly between two pieces of work

/** Set the text only if it changes, so that the visitor's selection survives. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export class Activity {
  /** @param {() => void} onDetails Called when new details have been read */
  constructor(root, url, onDetails) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.url = `${url}/activity`;
    this.onDetails = onDetails;
    this.details = null; // what was read last
    this.reports = []; // when the count changed, and the count
    this.startCount = this.shownCount = 0; // when the last report came, and now
    this.idlePolls = 0;
    addEventListener("resize", () => this.part("trying").style.removeProperty("min-height"));
  }

  show(view, over) {
    this.view = view;
    this.part("activity").hidden = over;
    if (over) {
      clearInterval(this.polling);
      clearInterval(this.ticking);
      this.#showEnd(view);
      return;
    }
    this.#count(view.nodes);
    if (this.polling) return;
    this.polling = setInterval(() => this.#poll(), POLL_MS);
    this.ticking = setInterval(() => this.#tick(), TICK_MS);
    if (this.details?.work.length) this.#showWork(this.details.work);
    this.#tick();
  }

  #showEnd({ nodes, nodes_per_s: rate, created_at: createdAt, started_at: startedAt, finished_at: finishedAt }) {
    // If other jobs searched before, the nodes were not searched in the time that is shown.
    const seconds = nodes / rate;
    const agrees = seconds / (finishedAt - (startedAt ?? createdAt)) < 1 + MAX_EXCESS;
    setText(this.part("nodes"), formatNumber(nodes));
    this.part("rate-box").hidden = !rate || !agrees || seconds < MIN_SEARCH_S;
    setText(this.part("rate"), formatRounded(rate));
    this.#mark([]);
  }

  /** Read the details; they stay the same without a connection, whose loss the poller reports. */
  async read() {
    const response = await fetch(this.url, { headers: { Accept: "application/json" } }).catch(() => null);
    if (response?.ok) this.details = await response.json();
    return response?.ok;
  }

  async #poll() {
    if (document.hidden || !(await this.read()) || this.view.finished_at !== null) return;
    const { nodes, work } = this.details;
    this.onDetails();
    this.#count(nodes);
    this.idlePolls = work.length ? 0 : this.idlePolls + 1;
    if (work.length) this.#showWork(work);
    else if (this.idlePolls >= IDLE_POLLS && this.view.state === "running") this.#showIdle();
  }

  #count(nodes) {
    const now = performance.now() / 1000;
    const last = this.reports.at(-1);
    if (last && nodes <= last.nodes) return;
    this.startCount = this.shownCount;
    this.reports.push({ now, nodes });
    while (this.reports.length > 2 && now - this.reports[1].now > WINDOW_S) this.reports.shift();
    if (last) this.#pulse();
  }

  /** Animate the activity mark once. */
  #pulse() {
    this.part("pulse").classList.toggle("pulse-again");
  }

  /** Return the nodes per second during the last ten seconds; null if the reports are too close together. */
  #computeSpeed(now) {
    const [first, last] = [this.reports[0], this.reports.at(-1)];
    if (now - last.now > WINDOW_S) return 0;
    return last.now - first.now < MIN_SPAN_S ? null : (last.nodes - first.nodes) / (last.now - first.now);
  }

  #tick() {
    const { part, reports, view } = this;
    const now = performance.now() / 1000;
    const [last, previous] = [reports.at(-1), reports.at(-2)];
    const catchUp = previous ? Math.min(last.now - previous.now, MAX_CATCH_UP_S) : 0;
    const share = Math.min(1, (now - last.now) / catchUp || 1);
    this.shownCount = Math.floor(this.startCount + share * (last.nodes - this.startCount));
    const rate = this.#computeSpeed(now) ?? view.nodes_per_s;
    setText(part("nodes"), formatNumber(this.shownCount));
    setText(part("rate"), rate ? formatRounded(rate) : "–");
  }

  #showIdle() {
    setText(this.part("workers"), gettext("waiting: the workers are busy with other boards"));
    this.part("trying").classList.add("trying-idle");
    this.#mark([]);
  }

  #showWork(work) {
    const { part } = this;
    const list = part("trying");
    const lines = mergeEqual(work.map((item) => this.#describe(item)));
    const shownLines = lines.slice(0, lines.length > MAX_LINES ? MAX_LINES - 1 : MAX_LINES);
    if (shownLines.length < lines.length) shownLines.push(gettext("and {count} more", { count: formatNumber(lines.length - shownLines.length) }));
    while (list.children.length > shownLines.length) list.lastElementChild.remove();
    while (list.children.length < shownLines.length) list.append(make("li"));
    shownLines.forEach((text, index) => setText(list.children[index], text));
    list.style.minHeight = `${list.offsetHeight}px`;
    list.classList.remove("trying-idle");
    setText(part("workers"), work.length === 1 ? gettext("1 worker searching") : gettext("{count} workers searching", { count: formatNumber(work.length) }));
    // The activity can be newer than the view, which does not know the solution yet.
    this.#mark(this.view.upper_bound === null ? [] : work.filter(({ first }) => first !== null));
  }

  #describe({ kind, since, threshold, expected_s: expected, first, count }) {
    const text = describeWork(kind, {
      threshold: formatNumber(threshold ?? 0),
      first: formatNumber((first ?? 0) + 1),
      last: formatNumber((first ?? 0) + (count ?? 0)),
    });
    const seconds = Math.round(Date.now() / 1000 - since);
    if (seconds < MIN_SPAN_S) return text;
    const values = { search: text, time: formatDuration(seconds) };
    if (expected === null) return gettext("{search}: {time}", values);
    return gettext("{search}: {time} of about {expected}", { ...values, expected: formatEstimate(expected) });
  }

  /** Mark the segments of the solution that are being improved on the player's slider. */
  #mark(segments) {
    drawSegments(this.part("marks"), segments, this.view.upper_bound);
  }
}

function describeWork(kind, values) {
  const descriptions = {
    initial: gettext("first solution and bounds"),
    proof: gettext("checking whether {threshold} moves are enough", values),
    check: gettext("verifying that {threshold} moves are not enough", values),
    aimed: gettext("looking for a solution of {threshold} moves", values),
    beam: gettext("looking for a shorter solution of the whole board"),
    sweep: gettext("moving the blank across the whole board, line by line"),
    fresh: gettext("looking for another solution of the whole board"),
    suffix: gettext("looking for a shorter beginning or end"),
    windows: gettext("looking for shortcuts between moves {first} and {last}", values),
  };
  return descriptions[kind] ?? kind;
}

/** Merge equal lines: with many workers, most of them search parts of the same tree. */
function mergeEqual(lines) {
  const counts = new Map();
  for (const text of lines) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([search, count]) => (count === 1 ? search : gettext("{search} ({count} workers)", { search, count: formatNumber(count) })));
}

const LENGTH = 1000; // of the solution, in the units of the drawing
const MIN_LENGTH = 4;

function drawSegments(svg, segments, moves) {
  svg.replaceChildren();
  for (const { first, count } of segments) {
    const width = Math.max(MIN_LENGTH, (count / moves) * LENGTH);
    draw(svg, "rect", { x: Math.min((first / moves) * LENGTH, LENGTH - width), width, height: 8 });
  }
}

// Which trials saved moves, and the time of the last improvement. Trials change several times per second; the
// page is updated once per second.

const PAUSE_MS = 1000;
const LONG_SILENCE_S = 120;

export class Improvement {
  constructor(root, history) {
    this.history = history;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.rows = new Map();
  }

  show(view, over) {
    this.view = view;
    this.over = over;
    if (!view.trials) return;
    if (over) {
      clearInterval(this.ticking);
      this.#draw();
    } else if (!this.ticking) {
      this.#draw();
      this.ticking = setInterval(() => this.#draw(), PAUSE_MS);
    }
  }

  #draw() {
    const { part, view } = this;
    this.#showGains(view.trials.statistics);
    this.#showSilence();
    const text = this.#describeLastImprovement();
    setText(part("improved"), text);
    part("improved").hidden = !text;
  }

  /** Show a row for each kind of trial, in order of first appearance. */
  #showGains(statistics) {
    const { part, rows } = this;
    part("paid-box").hidden = statistics.length === 0;
    for (const { kind, length, trials, seconds, gained } of statistics) {
      const key = `${kind} ${length}`;
      if (!rows.has(key)) rows.set(key, part("paid").appendChild(makeRow("", ["", "", ""])));
      const name = kind === "windows" ? gettext("Shortcuts within {length} moves", { length: formatNumber(length) }) : nameMethod(kind);
      const cells = [name, formatNumber(trials), this.#formatTime(seconds), formatNumber(gained)];
      cells.forEach((text, index) => setText(rows.get(key).cells[index], text));
    }
  }

  /** Show a notice if no shorter solution has been found for a long time, unless the search also proves bounds. */
  #showSilence() {
    const { part, over, view } = this;
    const seconds = Date.now() / 1000 - Math.max(view.trials.improved_at ?? 0, view.started_at ?? view.created_at);
    const isLong = !over && view.threshold === null && seconds > LONG_SILENCE_S;
    part("silence").hidden = !isLong;
    if (!isLong) return;
    const gain = this.history.measureGain(seconds);
    setText(part("silence-text"), fill(gain.moves ? gettext("No shorter solution in the last {time}; the previous {before} saved {count} moves. You can stop: the best solution is kept.") : gettext("No shorter solution in the last {time}. You can stop: the best solution is kept."), {
      time: this.#formatTime(seconds),
      before: this.#formatTime(gain.seconds),
      count: formatNumber(gain.moves),
    }));
  }

  #describeLastImprovement() {
    const { over, view } = this;
    const { improved_at: improvedAt } = view.trials;
    if (improvedAt === null) return over ? "" : gettext("not improved yet");
    if (!over) return gettext("last improved {time} ago", { time: this.#formatTime(Math.max(1, Date.now() / 1000 - improvedAt)) });
    // Later improvements belong to other jobs for the same board.
    return improvedAt > view.finished_at ? "" : gettext("last improved {time} before the end", { time: this.#formatTime(view.finished_at - improvedAt) });
  }

  #formatTime(seconds) {
    return formatDuration(seconds < 1 ? seconds : Math.round(seconds));
  }
}
