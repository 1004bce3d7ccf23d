// The pseudocode of a method: highlights the current line, and marks the lines that the step executed,
// with their counts.

import { formatNumber } from "../numbers.js";

// Names what happens at a position of the clock; lines of pseudocode refer to these names.

/**
 * @param {{position: number, step: object | null, over: boolean, exhausted: boolean,
 *          selectedNode: object | null}} moment
 * @returns {{current: string | null, counts: Map<string, number>}} the current moment, and how often
 * other moments occurred during the step
 */
export function findMoment(tree, { position, step, over, exhausted, selectedNode }) {
  const counts = new Map();
  if (selectedNode) return { current: selectedNode.root ? "start" : (selectedNode.outcome ?? "new"), counts };
  if (over) return { current: tree.goalNumber === undefined ? (exhausted ? "exhausted" : null) : "goal", counts };
  if (!step) return { current: "start", counts };
  const previous = tree.steps[position - 2];
  const isNextStep = previous?.number === step.number - 1;
  counts.set("take", 1);
  if (isNextStep && step.node.parent !== previous.node) counts.set("back", 1);
  for (const { outcome } of step.children) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const restarts = position > 1 && step.node.root && !step.node.backward;
  if (restarts) counts.set("expand", 1);
  return { current: restarts ? "again" : "expand", counts };
}

export class Pseudocode {
  constructor(list) {
    this.lines = [...list.children].map((element) => ({
      element,
      moments: element.dataset.moments.split(" "),
      text: element.querySelector(".code-text").textContent,
      count: element.querySelector(".code-count"),
    }));
    this.current = null;
  }

  /** @param {{current: string | null, counts: Map<string, number>}} moment as returned by `findMoment` */
  show({ current, counts }) {
    this.current = this.lines.find(({ moments }) => moments.includes(current)) ?? null;
    for (const line of this.lines) {
      const times = line.moments.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
      line.element.classList.toggle("code-executed", times > 0);
      line.count.textContent = times > 1 ? `× ${formatNumber(times)}` : "";
      if (line === this.current) line.element.setAttribute("aria-current", "step");
      else line.element.removeAttribute("aria-current");
    }
  }

  /** The text of the current line, without its colon. */
  get text() {
    return this.current?.text.replace(/:$/, "") ?? "";
  }
}
