// The page of runs step by step: their traces are fetched once all have ended, and one clock
// steers them.

import { fill } from "../board/make_board.js";
import { JobWatch } from "../job/poll.js";
import { Clock } from "./clock.js";
import { Controls } from "./controls.js";
import { MethodPanel } from "./method_panel.js";
import { showRunFacts } from "./run_facts.js";
import { followAddress, linkedStep } from "./step_link.js";

const root = document.getElementById("lab");
const words = JSON.parse(document.getElementById("content").dataset.words);
const numbers = new Intl.NumberFormat(document.documentElement.lang);
const sections = [...root.querySelectorAll('[data-part="method"]')];
const part = (name) => root.querySelector(`[data-part="${name}"]`);

async function fetchTrace(run) {
  const answer = await fetch(run.links.trace, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer.json();
}

/** Have the server say, in the visitor's language, why runs have no solution. */
async function showMessages() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (!answer.ok) return; // the badge says how each run ended
  const newer = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const section of sections) {
    const message = section.querySelector('[data-part="message"]');
    message.textContent = newer.querySelector(`[data-run="${section.dataset.run}"] [data-part="message"]`).textContent;
    message.hidden = !message.textContent;
  }
}

/** The panels of the runs whose steps are there; the others say what is missing. */
async function makePanels(view, onSeek) {
  const made = sections.map(async (section) => {
    const piece = (name) => section.querySelector(`[data-part="${name}"]`);
    const run = view.runs.find(({ id }) => id === section.dataset.run);
    showRunFacts(piece, run, words, numbers);
    try {
      if (!run.links.trace) throw new Error(words.no_steps);
      const trace = await fetchTrace(run);
      if (trace.steps.length === 0) throw new Error(trace.expanded === 0 ? words.no_step : words.no_steps);
      return new MethodPanel(section, trace, run, { width: view.width, goal: view.goal, words, numbers, onSeek });
    } catch (error) {
      piece("waiting").textContent = fill(words.no_trace, { reason: error.message });
      return null;
    }
  });
  return (await Promise.all(made)).filter((panel) => panel !== null);
}

/** Says at which lines the methods stand, but of each only what was not said last. */
function linesOf(panels) {
  const said = new Map();
  return () => panels.flatMap(({ title, code }) => {
    if (!code.words || said.get(title) === code.words) return [];
    said.set(title, code.words);
    return [`${title}: ${code.words}`];
  });
}

async function begin(view) {
  let clock = null;
  if (view.runs.some(({ message }) => message)) showMessages().catch(() => {});
  const panels = await makePanels(view, (number) => clock?.go(clock.placeOf(number)));
  if (panels.length === 0) return;
  let controls = null;
  let keepAddress = null;
  clock = new Clock(panels.map(({ tree }) => tree), () => {
    for (const panel of panels) panel.show(clock);
    controls.show();
    keepAddress?.();
  });
  controls = new Controls(root, clock, words, numbers, linesOf(panels));
  const linked = linkedStep();
  clock.go(linked === null ? Math.min(1, clock.last) : clock.placeOf(linked));
  keepAddress = followAddress(clock);
}

const watch = new JobWatch(root.dataset.address, {
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

watch.start();
