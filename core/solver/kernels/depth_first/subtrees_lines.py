"""The search of `core.solver.kernels.depth_first.lines`, from subtree to subtree."""

from __future__ import annotations

from numba import types

from core.compiling import kernel
from core.solver.kernels.array_types import (
    BYTES,
    OPEN_BYTES,
    OPEN_STATES,
    OPEN_TABLE,
    OPEN_WORDS,
    STEPS,
    WORDS,
)
from core.solver.kernels.constants import EXHAUSTED, EXPANDED, FOUND, GENERATED, OUT_OF_BUDGET
from core.solver.kernels.depth_first.lines import search_lines
from core.solver.kernels.depth_first.subtrees import aim, choose, note


@kernel(
    types.int64(
        WORDS, WORDS, STEPS, BYTES, WORDS, WORDS,
        types.int64, types.int64, OPEN_BYTES, OPEN_BYTES, OPEN_STATES, OPEN_WORDS,
        OPEN_TABLE, OPEN_WORDS, OPEN_WORDS,
    )
)  # fmt: skip
def search_lines_in_order(
    start, ways, following, allowed, goal_rows, goal_columns,
    threshold, budget, path, untried, states, report, subtrees, order, place,
):  # fmt: skip
    """Search subtrees in an order for a path to the goal of at most ``threshold`` moves.

    Parameters
    ----------
    subtrees, order, place
        As in `core.solver.kernels.depth_first.subtrees_patterns.search_patterns_in_order`.
    start, ways, following, allowed, goal_rows, goal_columns
    threshold, budget, path, untried, states, report
        As in `core.solver.kernels.depth_first.lines.search_lines`.

    Returns
    -------
    int
        `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`.
    """
    generated = 0
    expanded = 0
    status = EXHAUSTED
    while True:
        left = aim(subtrees, order, place, budget - generated, path, untried, states, report)
        if left <= 0:
            status = OUT_OF_BUDGET if left == 0 else EXHAUSTED
            break
        move = choose(place, untried)
        status = search_lines(
            start, ways, following, allowed, goal_rows, goal_columns,
            threshold, left, path, untried, states, report,
        )  # fmt: skip
        generated += report[GENERATED]
        expanded += report[EXPANDED]
        if status == FOUND:
            break
        note(subtrees, order, place, status, move, path, untried, states, report)
    report[GENERATED] = generated
    report[EXPANDED] = expanded
    return status
