"""Going along a path from a node: how positions come onto a stack, and solutions are estimated."""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import inlined_part
from tilework.core.solver.kernels.constants import NO_F
from tilework.core.solver.kernels.depth_first.rows import (
    BLANK,
    CHILD_COLUMNS,
    MOVE,
    MOVES_A_WORD,
    ONE,
    PARENT,
    PLACE,
    SOURCE,
    TILE,
    WORD,
    blank_of,
    depth_of,
    placed,
    slide,
    state_of,
    subtree_of,
    tile_at,
)


@inlined_part
def replay_path(
    propose, narrow, weigh, keep, tables,
    columns, shifts, mask, path_at, ways, following, allowed, roots, path, rows, estimates,
):  # fmt: skip
    """Take the node in the first row along a path; it comes to stand at the path's end.

    Parameters
    ----------
    propose, narrow, weigh, keep, tables, columns, shifts, mask, path_at, ways, following, allowed
        As of `tilework.core.solver.kernels.depth_first.search.search_stack`.
    roots : int64 array, shape (cells,)
        State of the rules before the first move, by the blank's cell. Where the path makes a move
        that they forbid, they start again after it.
    path : uint8 array
    rows : uint64 array, shape (2, columns), changed in place
        The second one is scratch.
    estimates : int64 array, shape (path.size,), filled
        By move, the estimate of the board that it leads to.

    Returns
    -------
    int
        Moves made: fewer than there are if the next one is illegal.
    """
    child = np.empty((1, CHILD_COLUMNS), dtype=np.uint64)
    none = WORD(0)
    for made in range(path.size):
        move = WORD(path[made])
        place = rows[none, PLACE]
        blank = blank_of(place)
        if move > WORD(3) or not (np.int64(allowed[roots[blank]]) >> np.int64(move)) & 1:
            return made
        for column in range(rows.shape[1]):
            rows[ONE, column] = rows[none, column]
        source = WORD(np.int64(blank) + ways[move])
        child[none, PARENT] = ONE
        child[none, MOVE] = move
        child[none, TILE] = tile_at(rows, ONE, source, columns, shifts, mask)
        child[none, SOURCE] = source
        child[none, BLANK] = blank
        propose(tables, rows, ONE, child, none)
        narrow(tables, rows, ONE, child, none, none, NO_F)
        estimate, found = weigh(tables, rows, ONE, child, none)
        slide(rows, none, child[none, TILE], source, blank, columns, shifts)
        keep(tables, rows, ONE, child, none, found, rows, none)
        if (np.int64(allowed[state_of(place)]) >> np.int64(move)) & 1:
            state = WORD(following[state_of(place), move])
        else:
            state = WORD(roots[source])
        depth = depth_of(place)
        at = WORD(path_at) + depth // WORD(MOVES_A_WORD)
        rows[none, at] |= move << (WORD(2) * (depth % WORD(MOVES_A_WORD)))
        rows[none, PLACE] = placed(
            depth + ONE, source, WORD(allowed[state]), state, subtree_of(place)
        )
        estimates[made] = estimate
    return path.size
