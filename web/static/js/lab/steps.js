// The page that shows runs step by step: traces are fetched once all runs have ended, and one clock
// controls them.

import { JobPoller, refreshLiveParts } from "../job/job_poller.js";
import { followLinks, readPosition } from "../board/fragment.js";
import { Clock, Controls } from "./clock.js";
import { chooseScheme, isDark } from "./colours.js";
import { MethodPanel } from "./method_panel.js";
import { gettext } from "../texts.js";

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

const root = document.getElementById("lab");
const sections = [...root.querySelectorAll('[data-part="method"]')];
const part = (name) => root.querySelector(`[data-part="${name}"]`);

async function fetchTrace(run) {
  const response = await fetch(run.links.trace, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.json();
}

/** Create the panels of the runs that have traces; the other sections show why there are no steps. */
async function makePanels(view, onSeek) {
  const panels = sections.map(async (section) => {
    const sectionPart = (name) => section.querySelector(`[data-part="${name}"]`);
    const run = view.runs.find(({ id }) => id === section.dataset.run);
    try {
      if (!run.links.trace) throw new Error(gettext("the steps of this run were not recorded"));
      const trace = await fetchTrace(run);
      if (trace.steps.length === 0) throw new Error(trace.expanded === 0 ? gettext("the search ended before its first step") : gettext("the steps of this run were not recorded"));
      return new MethodPanel(section, trace, run, { width: view.width, goal: view.goal, onSeek });
    } catch (error) {
      sectionPart("waiting").textContent = gettext("The steps cannot be shown: {reason}", { reason: error.message });
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
  const panels = await makePanels(view, (number) => clock?.go(clock.findPosition(number)));
  if (panels.length === 0) {
    part("controls").hidden = true;
    return;
  }
  new Stage(root);
  let controls = null;
  let showInUrl = null;
  clock = new Clock(panels.map(({ tree }) => tree), () => {
    for (const panel of panels) panel.show(clock);
    controls.show();
    if (!clock.playing) showInUrl?.(clock.number);
  });
  controls = new Controls(root, clock, makeLineDescriber(panels));
  const linkedStep = readPosition("step");
  clock.go(linkedStep === null ? Math.min(1, clock.lastPosition) : clock.findPosition(linkedStep));
  showInUrl = followLinks("step", 1, (step) => clock.go(clock.findPosition(step)));
}

const poller = new JobPoller(root, root.dataset.url, {
  isOver: ({ unfinished }) => unfinished === 0,
  async onView(view, signal) {
    if (!("over" in root.dataset)) await refreshLiveParts(root, signal);
    if (view.unfinished === 0) showRuns(view);
  },
});

poller.start();
