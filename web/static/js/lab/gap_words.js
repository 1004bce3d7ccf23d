// What of a bounded trace is not kept, in words.

import { fill } from "../board/make_board.js";

const MOST_TOLD = 2;

/** One sentence for each gap, or one for all where there are many. */
export function gapWords(tree, words, numbers) {
  const { gaps } = tree;
  if (gaps.length === 0) return words.no_gap;
  const between = ([first, last]) => ({ first: numbers.format(first), last: numbers.format(last), step: numbers.format(first) });
  if (gaps.length <= MOST_TOLD) {
    return gaps.map((gap) => fill(gap[0] === gap[1] ? words.gap_one : words.gap, between(gap))).join(" ");
  }
  return fill(words.gaps, {
    ...between([gaps[0][0], gaps.at(-1)[1]]),
    kept: numbers.format(tree.steps.length),
    steps: numbers.format(tree.expanded),
  });
}
