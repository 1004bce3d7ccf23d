// The result of a run: its outcome and statistics.

import { fill } from "../board/board_rendering.js";
import { FigureFormatter } from "../compare/metrics.js";

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
export function showRunSummary(part, run, texts, numbers) {
  const [badge, text] = describeEnd(run, texts, numbers);
  part("ending").className = `badge badge-${badge}`;
  part("ending").textContent = text;
  if (run.generated === null) return;
  const formatter = new FigureFormatter(texts);
  for (const name of STATISTICS) part(name).textContent = formatter.formatFully(name, run[name]);
}
