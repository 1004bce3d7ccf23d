// The page of a comparison: the API tells that something has changed, the server writes the rows
// anew, and the charts are drawn from the figures of the API.

import { fill } from "../board/make_board.js";
import { JobWatch } from "../job/poll.js";
import { BarCharts } from "./charts.js";
import { setUpDownloads } from "./download.js";
import { SweepChart } from "./sweep_chart.js";
import { RunTable } from "./table.js";

const SHORTEST_SILENCE_MS = 8000;
const PAUSE_MS_A_RUN = 4; // a long sweep is not fetched whole several times a second

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

/** Fetch this page again and take over its rows and its summary. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const newer = new DOMParser().parseFromString(await answer.text(), "text/html");
  table.update(newer.querySelector('[data-part="rows"]'));
  for (const place of root.querySelectorAll("[data-live]")) {
    const fresh = newer.querySelector(`[data-live="${place.dataset.live}"]`);
    if (fresh.innerHTML !== place.innerHTML) place.replaceChildren(...document.importNode(fresh, true).childNodes);
  }
}

/** Announce the progress, but not every second. */
function announce(over) {
  const now = performance.now();
  if (!over && now - announcedAt < SHORTEST_SILENCE_MS) return;
  announcedAt = now;
  part("announce").textContent = fill(words.progress, { ended: view.total - view.unfinished, total: view.total });
}

/** The colours of the page's legend, for pictures that leave it. */
function legend() {
  const entries = sweep ? root.querySelectorAll('.series[aria-pressed="true"]') : root.querySelectorAll(".legend span");
  return [...entries].map((entry) => {
    const style = sweep ? getComputedStyle(entry.querySelector("i")) : getComputedStyle(entry, "::before");
    const edge = style.borderTopWidth === "0px" ? style.backgroundColor : style.borderTopColor;
    return { text: entry.textContent, colour: style.backgroundColor, edge };
  });
}

const isOver = ({ unfinished }) => unfinished === 0;

const watch = new JobWatch(root.dataset.address, {
  isOver,
  async onView(newer) {
    const first = view === null;
    view = newer;
    const over = isOver(view);
    if (over) part("cancel")?.remove();
    await refresh();
    draw();
    if (!first || !over) announce(over);
    if (!over) await new Promise((resume) => setTimeout(resume, view.total * PAUSE_MS_A_RUN));
  },
  onLost(seconds) {
    part("lost").textContent = fill(words.lost, { seconds });
    part("lost").hidden = false;
  },
  onBack() {
    part("lost").hidden = true;
  },
});

setUpDownloads(root, legend, (reason) => {
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
watch.start();
