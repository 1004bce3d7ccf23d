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
const words = JSON.parse(document.getElementById("content").dataset.words);
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const sweep = "sweep" in root.dataset;
const charts = sweep ? new SweepChart(part("charts"), words) : new BarCharts(part("charts"), words);
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
  const newer = new DOMParser().parseFromString(await response.text(), "text/html");
  table.update(newer.querySelector('[data-part="rows"]'));
  for (const place of root.querySelectorAll("[data-live]")) {
    const fresh = newer.querySelector(`[data-live="${place.dataset.live}"]`);
    if (fresh.innerHTML !== place.innerHTML) place.replaceChildren(...document.importNode(fresh, true).childNodes);
  }
}

/** Announce the progress at a limited rate. */
function announce(over) {
  const now = performance.now();
  if (!over && now - announcedAt < MIN_SILENCE_MS) return;
  announcedAt = now;
  part("announce").textContent = fill(words.progress, { ended: view.total - view.unfinished, total: view.total });
}

/** Return the colours of the page's legend for downloaded charts. */
function readLegend() {
  const entries = sweep ? root.querySelectorAll('.series[aria-pressed="true"]') : root.querySelectorAll(".legend span");
  return [...entries].map((entry) => {
    const style = sweep ? getComputedStyle(entry.querySelector("i")) : getComputedStyle(entry, "::before");
    const edge = style.borderTopWidth === "0px" ? style.backgroundColor : style.borderTopColor;
    return { text: entry.textContent, colour: style.backgroundColor, edge };
  });
}

const isOver = ({ unfinished }) => unfinished === 0;

const poller = new JobPoller(root.dataset.address, {
  isOver,
  async onView(newer) {
    const first = view === null;
    view = newer;
    const over = isOver(view);
    if (over) part("cancel")?.remove();
    await refresh();
    draw();
    if (!first || !over) announce(over);
    if (!over) await new Promise((resume) => setTimeout(resume, view.total * PAUSE_PER_RUN_MS));
  },
  onLost(seconds) {
    part("lost").textContent = fill(words.lost, { seconds });
    part("lost").hidden = false;
  },
  onBack() {
    part("lost").hidden = true;
  },
});

setUpDownloads(root, readLegend, (reason) => {
  part("not-drawn").textContent = fill(words.not_drawn, { reason });
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
