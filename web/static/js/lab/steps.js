// The page that shows runs step by step: traces are fetched once all runs have ended, and one clock
// controls them.

import { fill } from "../board/board.js";
import { FigureFormatter } from "../compare/metrics.js";
import { JobPoller } from "../job/job_poller.js";
import { Clock, Controls, syncUrl, parseStepLink } from "./clock.js";
import { chooseScheme, isDark } from "./colours.js";
import { MethodPanel } from "./method_panel.js";

// Full screen: one method, or all of them, on the whole screen, with large type and a light or dark scheme for projectors.
//
// Browsers without full screen for elements, such as those of iPhones, show the same layout in the window.
class Stage {
  /** @param {HTMLElement} root of the page */
  constructor(root) {
    this.root = root;
    this.methods = root.querySelector(".methods");
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    const on = (name, handler) => this.part(name).addEventListener("click", handler);
    on("project", () => this.enter(null));
    on("large", () => this.#setLarge(!this.isLarge));
    on("dark", () => this.#setDark(!isDark()));
    on("leave", () => this.leave());
    for (const button of root.querySelectorAll('[data-part="full"]')) {
      button.addEventListener("click", () => (this.isOpen ? this.leave() : this.enter(button.closest(".method"))));
    }
    document.addEventListener("fullscreenchange", () => document.fullscreenElement || this.#close());
    root.addEventListener("keydown", ({ key }) => key === "Escape" && this.leave());
  }

  get isOpen() {
    return "stage" in this.root.dataset;
  }

  get isLarge() {
    return "large" in document.documentElement.dataset;
  }

  /** @param {HTMLElement | null} method to show alone; null shows all, in large type */
  async enter(method) {
    this.opener = document.activeElement;
    this.root.dataset.stage = "";
    for (const element of this.methods.children) element.hidden = method !== null && element !== method;
    this.#countShown();
    for (const element of document.querySelectorAll("body > :not(main)")) element.inert = true;
    this.#setLarge(method === null);
    this.#setDark(isDark());
    this.part("play").focus();
    await this.root.requestFullscreen?.().catch(() => {}); // the layout fills the window anyway
  }

  leave() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.#close();
  }

  #close() {
    if (!this.isOpen) return;
    delete this.root.dataset.stage;
    for (const element of this.methods.children) element.hidden = false;
    this.#countShown();
    for (const element of document.querySelectorAll("body > :not(main)")) element.inert = false;
    this.#setLarge(false);
    chooseScheme(null);
    this.opener.focus();
  }

  #countShown() {
    const count = [...this.methods.children].filter((element) => !element.hidden).length;
    this.methods.className = `methods methods-${count}`;
  }

  #setLarge(large) {
    document.documentElement.toggleAttribute("data-large", large);
    this.part("large").setAttribute("aria-pressed", String(large));
  }

  #setDark(dark) {
    chooseScheme(dark ? "dark" : "light");
    this.part("dark").setAttribute("aria-pressed", String(dark));
  }
}

// The result of a run: its outcome and statistics.

const STATISTICS = ["expanded", "generated", "visited", "max_frontier", "duplicates", "depth", "branching", "seconds", "memory_bytes"];

/** Return the badge and the text for the end of a run. */
function describeEnd(run, texts, numbers) {
  if (run.state === "failed") return ["failed", texts.endings.failed];
  if (run.state === "cancelled") return ["cancelled", texts.endings.cancelled];
  if (run.length === null) return run.stopped_by ? ["expired", texts.endings[run.stopped_by]] : ["failed", texts.endings.none];
  if (run.length === 0) return ["optimal", texts.endings.already_solved];
  const name = run.optimal ? "optimal" : run.optimal === false ? "longer" : "solved";
  const text = (run.length === 1 && texts.endings[`${name}_one`]) || texts.endings[name];
  return [run.optimal ? "optimal" : "bounded", fill(text, { moves: numbers.format(run.length) })];
}

/** @param {(name: string) => HTMLElement} part of the method's panel */
function showRunSummary(part, run, texts, numbers) {
  const [badge, text] = describeEnd(run, texts, numbers);
  part("ending").className = `badge badge-${badge}`;
  part("ending").textContent = text;
  if (run.generated === null) return;
  const formatter = new FigureFormatter(texts);
  for (const name of STATISTICS) part(name).textContent = formatter.formatFully(name, run[name]);
}

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

const poller = new JobPoller(root, root.dataset.url, texts, {
  isOver: ({ unfinished }) => unfinished === 0,
  onView(view) {
    if (view.unfinished === 0) showRuns(view);
  },
});

poller.start();
