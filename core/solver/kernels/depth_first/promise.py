"""The order of subtrees under a threshold: those that a solution is likely in first."""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import float64, kernel, types
from tilework.core.solver.kernels.array_types import OPEN_WORDS
from tilework.core.solver.kernels.constants import NEXT_THRESHOLD, NO_F, TOP
from tilework.core.solver.kernels.depth_first.rows import ROWS


@kernel(types.void(OPEN_WORDS, OPEN_WORDS, types.Array(float64, 1, "C")))
def weigh_subtrees(nodes, before, promise):
    """Weigh subtrees by their promise: their nodes times the root of what they have grown by.

    Parameters
    ----------
    nodes : int64 array, shape (subtrees,)
        By subtree, nodes under the last threshold.
    before : int64 array, shape (subtrees,), changed in place
        The same under the one before it, -1 where there was none; those of `nodes` from now on.
    promise : float64 array, shape (subtrees,), filled
    """
    for subtree in range(nodes.size):
        known = nodes[subtree] if before[subtree] < 0 else before[subtree]
        # A subtree whose root was over the threshold before the last has no known growth.
        growth = nodes[subtree] / max(known, 1)
        promise[subtree] = nodes[subtree] * np.sqrt(growth)
        before[subtree] = nodes[subtree]


@kernel(types.void(types.int64, OPEN_WORDS, ROWS, ROWS, OPEN_WORDS, OPEN_WORDS))
def stack_roots(threshold, order, rows, roots, estimates, report):
    """Stack the roots within a threshold, the first in the order on top.

    Parameters
    ----------
    threshold : int
    order : int64 array, shape (subtrees,)
    rows : uint64 array, shape (rows, columns), changed in place
    roots : uint64 array, shape (subtrees, columns)
    estimates : int64 array, shape (subtrees,)
        f of each root.
    report : int64 array, shape (REPORT_LENGTH,), changed in place
    """
    top = 0
    least = NO_F
    for place in range(order.size - 1, -1, -1):
        subtree = order[place]
        if estimates[subtree] > threshold:
            least = min(least, estimates[subtree])
            continue
        for column in range(rows.shape[1]):
            rows[top, column] = roots[subtree, column]
        top += 1
    report[TOP] = top
    report[NEXT_THRESHOLD] = least
