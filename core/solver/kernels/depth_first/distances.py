"""Depth-first search with Manhattan distance, which a move changes by one.

It needs no pattern database and supports any goal. A node stores only its distance.
"""

import numpy as np

from tilework.core.compiling import inner_loop_subroutine, kernel, types
from tilework.core.solver.kernels.constants import BYTES
from tilework.core.solver.kernels.depth_first.search import (
    BATCH,
    CHILD_COLUMNS,
    FIRST,
    MOVE,
    ONE,
    REPLAY_ARGUMENTS,
    SEARCH_ARGUMENTS,
    SOURCE,
    SUMS,
    TILE,
    WORD,
    replay_path,
    search_stack,
)

_USUAL_WIDTH = 5  # columns of a row for the 15-puzzle and paths of up to 64 moves


@inner_loop_subroutine
def _request(_tables, _batch, _parent, _child, _i):
    """Do nothing, because the table is small."""


@inner_loop_subroutine
def _first_bound(tables, batch, parent, child, i, child_row, _room):
    changes, columns = tables
    cell = child[i, TILE] * WORD(columns.size) + child[i, SOURCE]
    change = WORD(changes[cell * WORD(4) + child[i, MOVE]])
    distance = batch[parent, SUMS] + change - ONE
    child[child_row, FIRST] = distance
    return np.int64(distance)


@inner_loop_subroutine
def _evaluate(_tables, _batch, _parent, child, i):
    return np.int64(child[i, FIRST]), child[i, FIRST]


@inner_loop_subroutine
def _store(_tables, _batch, _parent, _child, _i, sums, rows, row):
    rows[row, SUMS] = sums


@kernel(types.int64(BYTES, *SEARCH_ARGUMENTS))
def search_distances(
    changes,
    columns, shifts, mask, path_column, move_steps, transitions,
    threshold, budget, cut_depth, stack, roots, estimates, nodes, report,
):  # fmt: skip
    """See `tilework.core.solver.kernels.depth_first.search.search_stack`.

    Parameters
    ----------
    changes : uint8[cells * cells * 4]
        By tile, its cell and its move, the change of its distance plus one.
    """
    batch = np.empty((BATCH, stack.shape[1]), dtype=np.uint64)
    child = np.empty((4 * BATCH, CHILD_COLUMNS), dtype=np.uint64)
    if stack.shape[1] == _USUAL_WIDTH:
        return search_stack(
            _request, _first_bound, _evaluate, _store, (changes, columns),
            columns, shifts, mask, path_column, move_steps, transitions,
            threshold, budget, cut_depth, stack, roots, estimates, nodes, report, batch, child,
            _USUAL_WIDTH,
        )  # fmt: skip
    return search_stack(
        _request, _first_bound, _evaluate, _store, (changes, columns),
        columns, shifts, mask, path_column, move_steps, transitions,
        threshold, budget, cut_depth, stack, roots, estimates, nodes, report, batch, child,
        stack.shape[1],
    )  # fmt: skip


@kernel(types.int64(BYTES, *REPLAY_ARGUMENTS))
def replay_distances(
    changes,
    columns, shifts, mask, path_column, move_steps, transitions,
    roots, path, rows, estimates,
):  # fmt: skip
    """See `tilework.core.solver.kernels.depth_first.search.replay_path`."""
    return replay_path(
        _request, _first_bound, _evaluate, _store, (changes, columns),
        columns, shifts, mask, path_column, move_steps, transitions,
        roots, path, rows, estimates,
    )  # fmt: skip
