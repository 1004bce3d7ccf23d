// Describes which steps a bounded trace does not contain.

import { fill } from "../board/board_rendering.js";

const MAX_LISTED = 2;

/** Return one sentence per gap, or one for all if there are many. */
export function describeGaps(tree, words, numbers) {
  const { gaps } = tree;
  if (gaps.length === 0) return words.no_gap;
  const between = ([first, last]) => ({ first: numbers.format(first), last: numbers.format(last), step: numbers.format(first) });
  if (gaps.length <= MAX_LISTED) {
    return gaps.map((gap) => fill(gap[0] === gap[1] ? words.gap_one : words.gap, between(gap))).join(" ");
  }
  return fill(words.gaps, {
    ...between([gaps[0][0], gaps.at(-1)[1]]),
    kept: numbers.format(tree.steps.length),
    steps: numbers.format(tree.expanded),
  });
}
