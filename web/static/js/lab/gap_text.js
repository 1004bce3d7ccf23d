// Describes which steps a bounded trace does not contain.

import { fill } from "../board/board_rendering.js";

const MAX_LISTED = 2;

/** Return one sentence per gap, or one for all if there are many. */
export function describeGaps(tree, texts, numbers) {
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
