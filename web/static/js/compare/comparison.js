// The comparison page: it polls the API for changes, fetches the rows rendered by the server, and draws
// the charts from the API's figures.

import { fill } from "../board/board_rendering.js";
import { JobPoller } from "../job/job_poller.js";
import { BarCharts } from "./charts.js";
import { setUpDownloads } from "./download.js";
import { SweepChart } from "./sweep_chart.js";
import { RunTable } from "./table.js";

const MIN_SILENCE_MS = 8000;
const PAUSE_PER_RUN_MS = 4; // so that long sweeps are fetched less often

const root = document.getElementById("comparison");
const texts = JSON.parse(document.getElementById("content").dataset.texts);
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const isSweep = "sweep" in root.dataset;
const charts = isSweep ? new SweepChart(part("charts"), texts) : new BarCharts(part("charts"), texts);
const table = new RunTable(root.querySelector("table.runs"), () => draw());
let view = null;
let announcedAt = -Infinity;

function draw() {
  part("charts").hidden = !view?.runs.some((run) => run.generated !== null);
  if (!part("charts").hidden) charts.show(view, table.keys);
}

/** Fetch this page again and replace its rows and its summary. */
async function refresh() {
  const response = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  table.update(page.querySelector('[data-part="rows"]'));
  for (const element of root.querySelectorAll("[data-live]")) {
    const replacement = page.querySelector(`[data-live="${element.dataset.live}"]`);
    if (replacement.innerHTML !== element.innerHTML) element.replaceChildren(...document.importNode(replacement, true).childNodes);
  }
}

/** Announce the progress at a limited rate. */
function announce(over) {
  const now = performance.now();
  if (!over && now - announcedAt < MIN_SILENCE_MS) return;
  announcedAt = now;
  part("announce").textContent = fill(texts.progress, { ended: view.total - view.unfinished, total: view.total });
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

const poller = new JobPoller(root.dataset.url, {
  isOver,
  async onView(newView) {
    const isFirst = view === null;
    view = newView;
    const over = isOver(view);
    if (over) part("cancel")?.remove();
    await refresh();
    draw();
    if (!isFirst || !over) announce(over);
    if (!over) await new Promise((resume) => setTimeout(resume, view.total * PAUSE_PER_RUN_MS));
  },
  onDisconnect(seconds) {
    part("connection-lost").textContent = fill(texts.lost, { seconds });
    part("connection-lost").hidden = false;
  },
  onReconnect() {
    part("connection-lost").hidden = true;
  },
});

setUpDownloads(root, readLegend, (reason) => {
  part("not-drawn").textContent = fill(texts.not_drawn, { reason });
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
