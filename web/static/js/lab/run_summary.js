// The result of a run: its outcome and statistics.

import { fill } from "../board/board_rendering.js";
import { formatDuration } from "../job/duration_format.js";

const COUNTS = ["expanded", "generated", "visited", "max_frontier", "duplicates", "depth"];
const KIBIBYTE = 1024;

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
  for (const name of COUNTS) part(name).textContent = numbers.format(run[name]);
  const precise = new Intl.NumberFormat(numbers.resolvedOptions().locale, { maximumSignificantDigits: 3 });
  part("branching").textContent = precise.format(run.branching);
  part("seconds").textContent = run.seconds < 1 ? fill(texts.milliseconds, { count: precise.format(run.seconds * 1000) }) : formatDuration(run.seconds, texts, numbers);
  const kilobytes = run.memory_bytes / KIBIBYTE;
  const small = kilobytes < KIBIBYTE;
  part("memory").textContent = fill(small ? texts.kilobytes : texts.megabytes, { count: precise.format(small ? kilobytes : kilobytes / KIBIBYTE) });
}
