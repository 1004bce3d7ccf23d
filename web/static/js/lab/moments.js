// Names what happens at a place of the clock, as lines of pseudocode refer to it.

/**
 * @param {import("./search_tree.js").SearchTree} tree
 * @param {{place: number, step: object | null, over: boolean, exhausted: boolean,
 *          chosen: object | null}} moment
 * @returns {{at: string | null, passed: Map<string, number>}} where the search is, and what else
 * the step did, with counts
 */
export function findMoment(tree, { place, step, over, exhausted, chosen }) {
  const passed = new Map();
  if (chosen) return { at: chosen.root ? "start" : (chosen.outcome ?? "new"), passed };
  if (over) return { at: tree.last === undefined ? (exhausted ? "exhausted" : null) : "goal", passed };
  if (!step) return { at: "start", passed };
  const before = tree.steps[place - 2];
  const follows = before?.number === step.number - 1;
  passed.set("take", 1);
  if (follows && step.node.parent !== before.node) passed.set("back", 1);
  for (const { outcome } of step.children) passed.set(outcome, (passed.get(outcome) ?? 0) + 1);
  const again = place > 1 && step.node.root && !step.node.backward;
  if (again) passed.set("expand", 1);
  return { at: again ? "again" : "expand", passed };
}
