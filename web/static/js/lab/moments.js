// Names what happens at a position of the clock; lines of pseudocode refer to these names.

/**
 * @param {import("./search_tree.js").SearchTree} tree
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
