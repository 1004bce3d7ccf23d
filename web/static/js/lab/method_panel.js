// One method's panel: its tree, the current board, and its frontier.

import { BoardView, FrontierChart, NodeLists } from "./panel_views.js";
import { findMoment, Pseudocode } from "./pseudocode.js";
import { SearchTree } from "./search_tree.js";
import { saveTree } from "./tree_picture.js";
import { TreeView } from "./tree_view.js";
import { fill, gettext } from "../texts.js";
import { formatNumber } from "../numbers.js";

// Describes which steps a bounded trace does not contain.

const MAX_LISTED = 2;

/** Return one sentence per gap, or one for all if there are many. */
function describeGaps(tree) {
  const { gaps } = tree;
  if (gaps.length === 0) return gettext("Every step is recorded.");
  const formatGap = ([first, last]) => ({ first: formatNumber(first), last: formatNumber(last), step: formatNumber(first) });
  if (gaps.length <= MAX_LISTED) {
    return gaps.map((gap) => fill(gap[0] === gap[1] ? gettext("Step {step} was not recorded.") : gettext("Steps {first} to {last} were not recorded."), formatGap(gap))).join(" ");
  }
  return gettext("{kept} of {steps} steps were recorded; some steps from {first} to {last} are missing.", {
    ...formatGap([gaps[0][0], gaps.at(-1)[1]]),
    kept: formatNumber(tree.steps.length),
    steps: formatNumber(tree.expanded),
  });
}

const MAX_SLIDE_SPEED = 8; // steps per second; above it, the tree jumps

export class MethodPanel {
  /**
   * @param {object} run the run of the trace, as returned by the API
   * @param {{width: number, goal: number[], onSeek: (number: number) => void}} page
   */
  constructor(section, trace, run, page) {
    this.part = (name) => section.querySelector(`[data-part="${name}"]`);
    this.tree = new SearchTree(trace);
    this.selectedNode = null;
    this.title = section.querySelector("h2").textContent;
    this.method = run.method;
    this.exhausted = run.stopped_by === null;
    this.part("waiting").hidden = true;
    this.part("body").classList.remove("awaited");
    const options = { ...page, isInformed: run.heuristic !== null, weight: run.weight, onChoose: (node) => this.choose(node) };
    this.board = new BoardView(this.part, options);
    this.lists = new NodeLists(this.part, options);
    this.code = new Pseudocode(this.part("code"));
    this.chart = new FrontierChart(this.part("chart"), this.tree, (position) => page.onSeek(this.tree.steps[position - 1].number));
    this.view = new TreeView(this.part("tree"), this.tree, { ...options, onFollowChange: (following) => this.#markFollowing(following) });
    this.part("gaps").textContent = describeGaps(this.tree);
    this.#listen();
  }

  #listen() {
    const on = (name, handler) => this.part(name).addEventListener("click", handler);
    on("zoom-in", () => this.view.zoomBy(1));
    on("zoom-out", () => this.view.zoomBy(-1));
    on("fit", () => this.view.fit());
    on("follow", () => this.view.follow());
    on("to-parent", () => this.choose(this.shownNode.parent));
    on("to-step", () => this.choose(null));
    for (const kind of ["svg", "png"]) on(kind, () => this.#save(kind));
  }

  #save(kind) {
    const step = formatNumber(this.tree.steps[this.position - 1]?.number ?? 0);
    const title = `${this.title} · ${gettext("Search tree after step {step}, {nodes} nodes", { step, nodes: formatNumber(this.view.shownNodes.length) })}`;
    saveTree(this.view, kind, title, `tilework-tree-${this.method.replaceAll(":", "-")}`);
  }

  #markFollowing(following) {
    this.part("follow").setAttribute("aria-pressed", following ? "true" : "false");
  }

  /** Select a node other than the current one; null returns to the current one. */
  choose(node) {
    this.selectedNode = node;
    this.#update(false);
    const hasLostFocus = document.activeElement === document.body; // the pressed button was removed
    if (hasLostFocus) this.part("board").focus({ preventScroll: true });
  }

  /** Show the current step of the clock. */
  show(clock) {
    const { tree } = this;
    this.selectedNode = null;
    this.over = clock.number > tree.expanded;
    this.position = this.over ? tree.steps.length : tree.findPosition(clock.number);
    this.step = this.position > 0 && !this.over ? tree.steps[this.position - 1] : null;
    this.#update(clock.playing && clock.speed > MAX_SLIDE_SPEED);
    this.#showStepNote(clock);
  }

  #update(jump) {
    const { tree, position, step, over, selectedNode } = this;
    const current = step?.node ?? null;
    const endNode = over ? tree.end : null;
    this.shownNode = selectedNode ?? current ?? endNode ?? tree.steps[Math.max(0, position - 1)]?.node ?? tree.nodes[0];
    if (!this.shownNode) return;
    const moment = { position, step, current, hasSelection: selectedNode !== null, ending: this.#describeEnd(endNode) };
    this.view.show(position, { current, over, selectedNode, jump });
    this.board.show(this.shownNode, moment);
    this.code.show(findMoment(tree, { position, step, over, selectedNode, exhausted: this.exhausted }));
    this.lists.showChildren(selectedNode ? selectedNode.children?.filter(({ bornAt }) => bornAt <= position) ?? [] : (step?.children ?? []));
    const last = tree.steps[position - 1];
    this.lists.showFrontier(this.#listFrontier(last), last?.frontier_size ?? 1, selectedNode);
    this.chart.show(position);
    this.part("tree").setAttribute("aria-label", gettext("Search tree after step {step}, {nodes} nodes", {
      nodes: formatNumber(this.view.shownNodes.length),
      step: formatNumber(last?.number ?? 0),
    }));
  }

  /** Return a sentence on how the search ended, or null if it has not. */
  #describeEnd(endNode) {
    if (!this.over) return null;
    if (!endNode) return gettext("Search finished");
    return this.tree.searchesMet ? gettext("The two searches met here") : gettext("Goal reached");
  }

  /** Return the frontier after a step; before the first step, the start. */
  #listFrontier(step) {
    if (step) return step.frontier.map((node) => this.tree.findFrontierNode(node));
    return this.tree.nodes.slice(0, 1);
  }

  /** Show which step this method is at if it is not the step of the clock. */
  #showStepNote(clock) {
    const { tree } = this;
    const note = this.part("step-note");
    const shownStep = this.step?.number ?? 0;
    const differs = !this.over && clock.number !== shownStep;
    note.textContent = differs ? gettext("Step {step} was not recorded; showing step {shown}.", { step: formatNumber(clock.number), shown: formatNumber(shownStep) }) : this.over ? fill(tree.expanded === 1 ? gettext("Finished after 1 step.") : gettext("Finished after {steps} steps."), { steps: formatNumber(tree.expanded) }) : "";
    note.hidden = !note.textContent;
  }
}
