// The comparison page: it polls the API for changes, fetches the rows rendered by the server, and draws
// the charts from the API's figures.

import { JobPoller, refreshLiveParts } from "../job/job_poller.js";
import { BarCharts, SweepChart } from "./charts.js";
import { setUpDownloads } from "./download.js";
import { gettext } from "../texts.js";
import { make } from "../elements.js";

// The table of runs: it can be sorted by any column, and its rows are updated.

const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });

/** Return the sort key of a cell: a number, text, or null if it is empty. */
function readSortKey(row, column) {
  const { value } = row.cells[column].dataset;
  if (value === "") return null;
  return Number.isNaN(Number(value)) ? value : Number(value);
}

function compare(a, b) {
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
}

class RunTable {
  /** @param {() => void} onSorted */
  constructor(table, onSorted) {
    this.body = table.tBodies[0];
    this.heads = [...table.tHead.rows[0].querySelectorAll("th")];
    this.onSorted = onSorted;
    this.originalOrder = this.keys; // the requested order of the methods
    this.column = null;
    this.isDescending = false;
    for (const [column, head] of this.heads.entries()) this.#makeButton(head, column);
  }

  get keys() {
    return [...this.body.rows].map((row) => row.dataset.key);
  }

  #makeButton(head, column) {
    const button = make("button", { type: "button", className: "sort" }, ...head.childNodes);
    button.addEventListener("click", () => this.#changeOrder(column));
    head.append(button);
  }

  /** Sort ascending, then descending, then in the original order. */
  #changeOrder(column) {
    if (this.column !== column) [this.column, this.isDescending] = [column, false];
    else if (!this.isDescending) this.isDescending = true;
    else this.column = null;
    for (const [index, head] of this.heads.entries()) {
      if (index !== this.column) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", this.isDescending ? "descending" : "ascending");
    }
    this.sort();
    this.onSorted();
  }

  sort() {
    const { body, column, isDescending, originalOrder } = this;
    const originalIndex = (row) => originalOrder.indexOf(row.dataset.key);
    const rows = [...body.rows].sort((a, b) => {
      if (column === null) return originalIndex(a) - originalIndex(b);
      const [first, second] = [readSortKey(a, column), readSortKey(b, column)];
      if (first === null || second === null) return (first === null) - (second === null) || originalIndex(a) - originalIndex(b);
      return (isDescending ? -1 : 1) * compare(first, second) || originalIndex(a) - originalIndex(b);
    });
    if (rows.some((row, index) => row !== body.rows[index])) body.append(...rows);
  }

  /** Replace the rows that differ from those of a newly fetched page. */
  update(newBody) {
    const focusedKey = document.activeElement.closest("tr[data-key]")?.dataset.key;
    const rows = new Map([...this.body.rows].map((row) => [row.dataset.key, row]));
    for (const row of [...newBody.rows]) {
      const oldRow = rows.get(row.dataset.key);
      if (oldRow && oldRow.innerHTML !== row.innerHTML) oldRow.replaceWith(document.importNode(row, true));
    }
    this.sort();
    if (focusedKey) [...this.body.rows].find((row) => row.dataset.key === focusedKey).querySelector(".watch")?.focus();
  }
}

const MIN_SILENCE_MS = 8000;
const PAUSE_PER_RUN_MS = 4; // so that long sweeps are fetched less often

const root = document.getElementById("comparison");
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const isSweep = "sweep" in root.dataset;
const charts = isSweep ? new SweepChart(part("charts")) : new BarCharts(part("charts"));
const table = new RunTable(root.querySelector("table.runs"), () => draw());
let view = null;
let announcedAt = -Infinity;

function draw() {
  part("charts").hidden = !view?.runs.some((run) => run.generated !== null);
  if (!part("charts").hidden) charts.show(view, table.keys);
}

/** Announce the progress at a limited rate. */
function announce(over) {
  const now = performance.now();
  if (!over && now - announcedAt < MIN_SILENCE_MS) return;
  announcedAt = now;
  part("announce").textContent = gettext("{ended} of {total} runs done", { ended: view.total - view.unfinished, total: view.total });
}

/** Return the colours of the page's legend for downloaded charts. */
function readLegend() {
  const entries = isSweep ? root.querySelectorAll('.series[aria-pressed="true"]') : root.querySelectorAll(".legend span");
  return [...entries].map((entry) => {
    const style = isSweep ? getComputedStyle(entry.querySelector("i")) : getComputedStyle(entry, "::before");
    const edge = style.borderTopWidth === "0px" ? style.backgroundColor : style.borderTopColor;
    return { text: entry.textContent, colour: style.backgroundColor, edge };
  });
}

const isOver = ({ unfinished }) => unfinished === 0;

const poller = new JobPoller(root, root.dataset.url, {
  isOver,
  async onView(newView, signal) {
    const isFirst = view === null;
    view = newView;
    const over = isOver(view);
    if (over) part("cancel")?.remove();
    const page = await refreshLiveParts(root, signal);
    table.update(page.querySelector('[data-part="rows"]'));
    draw();
    if (!isFirst || !over) announce(over);
    if (!over) await new Promise((resume) => setTimeout(resume, view.total * PAUSE_PER_RUN_MS));
  },
});

setUpDownloads(root, readLegend, (reason) => {
  part("not-drawn").textContent = gettext("Could not create the picture: {reason}", { reason });
  part("not-drawn").hidden = false;
});
let drawnWidth = 0;
new ResizeObserver(([{ contentRect }]) => {
  if (Math.abs(contentRect.width - drawnWidth) < 1) return;
  drawnWidth = contentRect.width;
  draw();
}).observe(root);
part("sorts").hidden = false;
poller.start();
