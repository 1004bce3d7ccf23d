// The page that shows runs step by step: traces are fetched once all runs have ended, and one clock
// controls them.

import { fill } from "../board/board_rendering.js";
import { JobPoller } from "../job/job_poller.js";
import { Clock } from "./clock.js";
import { Controls } from "./controls.js";
import { MethodPanel } from "./method_panel.js";
import { showRunSummary } from "./run_summary.js";
import { Stage } from "./stage.js";
import { syncAddress, parseStepLink } from "./step_link.js";

const root = document.getElementById("lab");
const words = JSON.parse(document.getElementById("content").dataset.words);
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
  const newer = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const section of sections) {
    const message = section.querySelector('[data-part="message"]');
    message.textContent = newer.querySelector(`[data-run="${section.dataset.run}"] [data-part="message"]`).textContent;
    message.hidden = !message.textContent;
  }
}

/** Create the panels of the runs that have traces; the others show what is missing. */
async function makePanels(view, onSeek) {
  const panels = sections.map(async (section) => {
    const sectionPart = (name) => section.querySelector(`[data-part="${name}"]`);
    const run = view.runs.find(({ id }) => id === section.dataset.run);
    showRunSummary(sectionPart, run, words, numbers);
    try {
      if (!run.links.trace) throw new Error(words.no_steps);
      const trace = await fetchTrace(run);
      if (trace.steps.length === 0) throw new Error(trace.expanded === 0 ? words.no_step : words.no_steps);
      return new MethodPanel(section, trace, run, { width: view.width, goal: view.goal, words, numbers, onSeek });
    } catch (error) {
      sectionPart("waiting").textContent = fill(words.no_trace, { reason: error.message });
      sectionPart("body").hidden = true;
      return null;
    }
  });
  return (await Promise.all(panels)).filter((panel) => panel !== null);
}

/** Return a function that describes the current lines of the methods that have changed. */
function makeLineReporter(panels) {
  const reported = new Map();
  return () => panels.flatMap(({ title, code }) => {
    if (!code.words || reported.get(title) === code.words) return [];
    reported.set(title, code.words);
    return [`${title}: ${code.words}`];
  });
}

async function begin(view) {
  let clock = null;
  if (view.runs.some(({ message }) => message)) showMessages().catch(() => {});
  const panels = await makePanels(view, (number) => clock?.go(clock.placeOf(number)));
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
  controls = new Controls(root, clock, words, numbers, makeLineReporter(panels));
  const linked = parseStepLink();
  clock.go(linked === null ? Math.min(1, clock.last) : clock.placeOf(linked));
  updateUrl = syncAddress(clock);
}

const poller = new JobPoller(root.dataset.address, {
  isOver: ({ unfinished }) => unfinished === 0,
  onView(view) {
    if (view.unfinished === 0) begin(view);
  },
  onLost(seconds) {
    part("lost").textContent = fill(words.lost, { seconds });
    part("lost").hidden = false;
  },
  onBack() {
    part("lost").hidden = true;
  },
});

poller.start();
