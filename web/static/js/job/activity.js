// What the workers are doing: nodes and speed, which move while they search, and the work of each. Workers
// report every two seconds; between two reports, the count goes on at the speed of the last ten seconds.

import { fill } from "../board/board_rendering.js";
import { formatDuration, formatEstimate } from "./duration_format.js";

const POLL_MS = 1000;
const TICK_MS = 200;
const WINDOW_S = 10; // over which the speed is measured
const MIN_SPAN_S = 3;
const MAX_AHEAD_S = 2.5; // the count stops if no report follows
const MAX_LINES = 4;
const MAX_DISAGREEMENT = 0.1; // of nodes, time and speed after the end
const IDLE_POLLS = 3; // between two pieces of work nobody searches for a moment

/** Set the text only if it changes, so that the visitor's selection survives. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export class Activity {
  constructor(root, address, words) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.address = `${address}/activity`;
    this.words = words;
    const language = document.documentElement.lang;
    this.numbers = new Intl.NumberFormat(language);
    this.short = new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 3 });
    this.reports = []; // when the count changed, and the count
    this.shown = 0;
    this.idlePolls = 0;
    addEventListener("resize", () => this.part("trying").style.removeProperty("min-height"));
  }

  show(view, over) {
    this.view = view;
    this.part("activity").hidden = over || view.run !== null;
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
    this.#poll();
    this.#tick();
  }

  #showEnd({ nodes, nodes_per_s: rate, created_at: created, started_at: started, finished_at: finished }) {
    const { part, short } = this;
    // Other jobs may have searched before, or several workers at once: then the time shown is not that of the nodes.
    const agrees = Math.abs(nodes / rate / (finished - (started ?? created)) - 1) < MAX_DISAGREEMENT;
    part("nodes").textContent = short.format(nodes);
    part("nodes").title = this.numbers.format(nodes);
    part("rate").textContent = rate && agrees ? short.format(rate) : "–";
    this.#mark([]);
  }

  async #poll() {
    if (document.hidden) return;
    const response = await fetch(this.address, { headers: { Accept: "application/json" } }).catch(() => null);
    if (!response?.ok || this.view.finished_at !== null) return; // the poller reports a lost connection
    const { nodes, work } = await response.json();
    this.#count(nodes);
    this.idlePolls = work.length ? 0 : this.idlePolls + 1;
    if (work.length) this.#showWork(work);
    else if (this.idlePolls >= IDLE_POLLS && this.view.state === "running") this.#showIdle();
  }

  #count(nodes) {
    const now = performance.now() / 1000;
    const last = this.reports.at(-1);
    if (last && nodes <= last.nodes) return;
    this.reports.push({ now, nodes });
    while (this.reports.length > 2 && now - this.reports[1].now > WINDOW_S) this.reports.shift();
    if (last) this.#pulse();
  }

  /** Make the mark light up once. */
  #pulse() {
    this.part("pulse").classList.toggle("pulse-again");
  }

  /** Return the nodes per second during the last ten seconds; null if they are too few to tell. */
  #speed(now) {
    const [first, last] = [this.reports[0], this.reports.at(-1)];
    if (now - last.now > WINDOW_S) return 0;
    return last.now - first.now < MIN_SPAN_S ? null : (last.nodes - first.nodes) / (last.now - first.now);
  }

  #tick() {
    const { part, reports, view } = this;
    const now = performance.now() / 1000;
    const last = reports.at(-1);
    const measured = this.#speed(now);
    const ahead = (measured ?? 0) * Math.min(now - last.now, MAX_AHEAD_S);
    this.shown = Math.max(this.shown, Math.floor(last.nodes + ahead));
    const rate = measured ?? view.nodes_per_s;
    setText(part("nodes"), this.numbers.format(this.shown));
    setText(part("rate"), rate ? this.short.format(rate) : "–");
  }

  #showIdle() {
    setText(this.part("workers"), this.words.workers_busy);
    this.part("trying").classList.add("trying-idle");
    this.#mark([]);
  }

  #showWork(work) {
    const { part, words, numbers } = this;
    const list = part("trying");
    const texts = countEqual(work.map((item) => this.#describe(item)), words, numbers);
    const shown = texts.slice(0, texts.length > MAX_LINES ? MAX_LINES - 1 : MAX_LINES);
    if (shown.length < texts.length) shown.push(fill(words.trying_more, { count: numbers.format(texts.length - shown.length) }));
    while (list.children.length > shown.length) list.lastElementChild.remove();
    while (list.children.length < shown.length) list.append(document.createElement("li"));
    shown.forEach((text, place) => setText(list.children[place], text));
    list.style.minHeight = `${list.offsetHeight}px`;
    list.classList.remove("trying-idle");
    setText(part("workers"), work.length === 1 ? words.workers_one : fill(words.workers_many, { count: numbers.format(work.length) }));
    this.#mark(work.filter(({ first }) => first !== null));
  }

  #describe({ kind, since, threshold, expected_s: expected, width, view, first, count, length }) {
    const { words, numbers } = this;
    const template = kind === "beam" && view ? "beam_view" : kind;
    const text = fill(words.trying[template] ?? kind, {
      threshold: numbers.format(threshold ?? 0),
      width: numbers.format(width ?? 0),
      view,
      length: numbers.format(length ?? 0),
      first: numbers.format((first ?? 0) + 1),
      last: numbers.format((first ?? 0) + (count ?? 0)),
    });
    const seconds = Math.round(Date.now() / 1000 - since);
    if (seconds < MIN_SPAN_S) return text;
    const known = { search: text, time: formatDuration(seconds, words, numbers) };
    if (expected === null) return fill(words.trying_for, known);
    return fill(words.trying_time, { ...known, expected: formatEstimate(expected, words, numbers) });
  }

  /** Mark the segments of the solution that are being improved, on a strip and on the player's slider. */
  #mark(segments) {
    const moves = this.view.upper_bound;
    for (const name of ["strip", "marks"]) drawSegments(this.part(name), segments, moves);
  }
}

/** Merge equal lines: with many workers, most search parts of one tree. */
function countEqual(texts, words, numbers) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([search, count]) => (count === 1 ? search : fill(words.trying_several, { search, count: numbers.format(count) })));
}

const LENGTH = 1000; // of the solution, in the units of the drawing
const MIN_LENGTH = 4;

function drawSegments(svg, segments, moves) {
  while (svg.children.length > segments.length) svg.lastElementChild.remove();
  while (svg.children.length < segments.length) svg.append(document.createElementNS(svg.namespaceURI, "rect"));
  segments.forEach(({ first, count }, place) => {
    const width = Math.max(MIN_LENGTH, (count / moves) * LENGTH);
    svg.children[place].setAttribute("x", Math.min((first / moves) * LENGTH, LENGTH - width));
    svg.children[place].setAttribute("width", width);
    svg.children[place].setAttribute("height", 8);
  });
}
