// The page that shows runs step by step: traces are fetched once all runs have ended, and one clock
// controls them.

import { fill } from "../board/board_rendering.js";
import { JobPoller } from "../job/job_poller.js";
import { Clock } from "./clock.js";
import { Controls } from "./controls.js";
import { MethodPanel } from "./method_panel.js";
import { showRunSummary } from "./run_summary.js";
import { Stage } from "./stage.js";
import { syncUrl, parseStepLink } from "./step_link.js";

const root = document.getElementById("lab");
const texts = JSON.parse(document.getElementById("content").dataset.texts);
const numbers = new Intl.NumberFormat(document.documentElement.lang);
const sections = [...root.querySelectorAll('[data-part="method"]')];
const part = (name) => root.querySelector(`[data-part="${name}"]`);

async function fetchTrace(run) {
  const response = await fetch(run.links.trace, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.json();
}

/** Fetch the server's messages about runs without a solution, in the visitor's language. */
async function showMessages() {
  const response = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (!response.ok) return; // the badges still show how each run ended
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const section of sections) {
    const message = section.querySelector('[data-part="message"]');
    message.textContent = page.querySelector(`[data-run="${section.dataset.run}"] [data-part="message"]`).textContent;
    message.hidden = !message.textContent;
  }
}

/** Create the panels of the runs that have traces; the other sections show why there are no steps. */
async function makePanels(view, onSeek) {
  const panels = sections.map(async (section) => {
    const sectionPart = (name) => section.querySelector(`[data-part="${name}"]`);
    const run = view.runs.find(({ id }) => id === section.dataset.run);
    showRunSummary(sectionPart, run, texts, numbers);
    try {
      if (!run.links.trace) throw new Error(texts.no_steps);
      const trace = await fetchTrace(run);
      if (trace.steps.length === 0) throw new Error(trace.expanded === 0 ? texts.no_step : texts.no_steps);
      return new MethodPanel(section, trace, run, { width: view.width, goal: view.goal, texts, numbers, onSeek });
    } catch (error) {
      sectionPart("waiting").textContent = fill(texts.no_trace, { reason: error.message });
      sectionPart("body").hidden = true;
      return null;
    }
  });
  return (await Promise.all(panels)).filter((panel) => panel !== null);
}

/** Return a function that returns the current lines that have changed. */
function makeLineDescriber(panels) {
  const reported = new Map();
  return () => panels.flatMap(({ title, code }) => {
    if (!code.text || reported.get(title) === code.text) return [];
    reported.set(title, code.text);
    return [`${title}: ${code.text}`];
  });
}

async function showRuns(view) {
  part("worksheet")?.removeAttribute("hidden");
  let clock = null;
  if (view.runs.some(({ message }) => message)) showMessages().catch(() => {});
  const panels = await makePanels(view, (number) => clock?.go(clock.findPosition(number)));
  if (panels.length === 0) {
    part("controls").hidden = true;
    return;
  }
  new Stage(root);
  let controls = null;
  let updateUrl = null;
  clock = new Clock(panels.map(({ tree }) => tree), () => {
    for (const panel of panels) panel.show(clock);
    controls.show();
    updateUrl?.();
  });
  controls = new Controls(root, clock, texts, numbers, makeLineDescriber(panels));
  const linkedStep = parseStepLink();
  clock.go(linkedStep === null ? Math.min(1, clock.lastPosition) : clock.findPosition(linkedStep));
  updateUrl = syncUrl(clock);
}

const poller = new JobPoller(root.dataset.url, {
  isOver: ({ unfinished }) => unfinished === 0,
  onView(view) {
    if (view.unfinished === 0) showRuns(view);
  },
  onDisconnect(seconds) {
    part("connection-lost").textContent = fill(texts.lost, { seconds });
    part("connection-lost").hidden = false;
  },
  onReconnect() {
    part("connection-lost").hidden = true;
  },
});

poller.start();
