// One method's panel: its tree, the current board, and its frontier.

import { fill } from "../board/board.js";
import { BoardView, FrontierChart, NodeLists } from "./panel_views.js";
import { findMoment, Pseudocode } from "./pseudocode.js";
import { SearchTree } from "./search_tree.js";
import { saveTree } from "./tree_picture.js";
import { TreeView } from "./tree_view.js";

// Describes which steps a bounded trace does not contain.

const MAX_LISTED = 2;

/** Return one sentence per gap, or one for all if there are many. */
function describeGaps(tree, texts, numbers) {
  const { gaps } = tree;
  if (gaps.length === 0) return texts.no_gap;
  const formatGap = ([first, last]) => ({ first: numbers.format(first), last: numbers.format(last), step: numbers.format(first) });
  if (gaps.length <= MAX_LISTED) {
    return gaps.map((gap) => fill(gap[0] === gap[1] ? texts.gap_one : texts.gap, formatGap(gap))).join(" ");
  }
  return fill(texts.gaps, {
    ...formatGap([gaps[0][0], gaps.at(-1)[1]]),
    kept: numbers.format(tree.steps.length),
    steps: numbers.format(tree.expanded),
  });
}

const MAX_SLIDE_SPEED = 8; // steps per second; above it, the tree jumps

export class MethodPanel {
  /**
   * @param {HTMLElement} section
   * @param {object} trace
   * @param {object} run the run of the trace, as returned by the API
   * @param {{width: number, goal: number[], texts: object, numbers: Intl.NumberFormat,
   *          onSeek: (number: number) => void}} page
   */
  constructor(section, trace, run, page) {
    this.part = (name) => section.querySelector(`[data-part="${name}"]`);
    Object.assign(this, { texts: page.texts, numbers: page.numbers });
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
    this.code = new Pseudocode(this.part("code"), page.numbers);
    this.chart = new FrontierChart(this.part("chart"), this.tree, page.numbers, (position) => page.onSeek(this.tree.steps[position - 1].number));
    this.view = new TreeView(this.part("tree"), this.tree, { ...options, onFollowChange: (following) => this.#markFollowing(following) });
    this.part("gaps").textContent = describeGaps(this.tree, page.texts, page.numbers);
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
    const step = this.numbers.format(this.tree.steps[this.position - 1]?.number ?? 0);
    const title = `${this.title} · ${fill(this.texts.tree, { step, nodes: this.numbers.format(this.view.shownNodes.length) })}`;
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
    this.part("tree").setAttribute("aria-label", fill(this.texts.tree, {
      nodes: this.numbers.format(this.view.shownNodes.length),
      step: this.numbers.format(last?.number ?? 0),
    }));
  }

  /** Return a sentence on how the search ended, or null if it has not. */
  #describeEnd(endNode) {
    if (!this.over) return null;
    if (!endNode) return this.texts.ended;
    return this.tree.searchesMet ? this.texts.ended_where_met : this.texts.ended_at_goal;
  }

  /** Return the frontier after a step; before the first step, the start. */
  #listFrontier(step) {
    if (step) return step.frontier.map((node) => this.tree.findFrontierNode(node));
    return this.tree.nodes.slice(0, 1);
  }

  /** Show which step this method is at if it is not the step of the clock. */
  #showStepNote(clock) {
    const { tree, texts, numbers } = this;
    const note = this.part("step-note");
    const shownStep = this.step?.number ?? 0;
    const differs = !this.over && clock.number !== shownStep;
    note.textContent = differs ? fill(texts.not_kept, { step: numbers.format(clock.number), shown: numbers.format(shownStep) }) : this.over ? fill(tree.expanded === 1 ? texts.ended_after_one : texts.ended_after, { steps: numbers.format(tree.expanded) }) : "";
    note.hidden = !note.textContent;
  }
}
