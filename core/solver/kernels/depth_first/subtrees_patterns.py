"""The search of `core.solver.kernels.depth_first.patterns`, from subtree to subtree."""

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
    TABLE,
    TABLES,
    WORDS,
)
from core.solver.kernels.constants import EXHAUSTED, EXPANDED, FOUND, GENERATED, OUT_OF_BUDGET
from core.solver.kernels.depth_first.patterns import search_patterns
from core.solver.kernels.depth_first.subtrees import aim, choose, note


@kernel(
    types.int64(
        BYTES, WORDS, WORDS, STEPS, BYTES, TABLE, TABLES, WORDS,
        types.int64, types.int64, OPEN_BYTES, OPEN_BYTES, OPEN_STATES, OPEN_WORDS,
        OPEN_TABLE, OPEN_WORDS, OPEN_WORDS,
    )
)  # fmt: skip
def search_patterns_in_order(
    entries, start, ways, following, allowed, slots, steps, indices,
    threshold, budget, path, untried, states, report, subtrees, order, place,
):  # fmt: skip
    """Search subtrees in an order for a path to the goal of at most ``threshold`` moves.

    Parameters
    ----------
    subtrees : int64 array, shape (rows, COLUMNS), changed in place
        See `core.solver.kernels.depth_first.subtrees`, as for `place`.
    order : int64 array, shape (rows,), changed in place
        Rows of subtrees in the order in which they are to be searched.
    place : int64 array, shape (PLACES,), changed in place
    entries, start, ways, following, allowed, slots, steps, indices
    threshold, budget, path, untried, states, report
        As in `core.solver.kernels.depth_first.patterns.search_patterns`.

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
        status = search_patterns(
            entries, start, ways, following, allowed, slots, steps, indices,
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
