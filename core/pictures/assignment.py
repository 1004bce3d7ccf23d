"""The most probable way to give each cell one of the tiles, and each tile to one cell.

The Hungarian method by shortest augmenting paths: Jonker and Volgenant, "A shortest augmenting path
algorithm for dense and sparse linear assignment problems" (Computing 38, 1987).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cheapest_assignment(costs: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the column of each row, all different, so that the sum of their costs is least.

    Parameters
    ----------
    costs : float array of shape (n, n)
        Finite.

    Returns
    -------
    int array of shape (n,)
    """
    count = len(costs)
    # One more column, the last, from which each row's path begins.
    row_of = np.full(count + 1, -1, dtype=np.intp)
    row_price, column_price = np.zeros(count), np.zeros(count + 1)
    for row in range(count):
        row_of[count] = row
        column = count
        least = np.full(count, np.inf)
        came_from = np.full(count, count, dtype=np.intp)
        used = np.zeros(count + 1, dtype=bool)
        while row_of[column] >= 0:
            used[column] = True
            at = row_of[column]
            reduced = costs[at] - row_price[at] - column_price[:count]
            better = ~used[:count] & (reduced < least)
            least[better], came_from[better] = reduced[better], column
            open_least = np.where(used[:count], np.inf, least)
            nearest = int(open_least.argmin())
            step = open_least[nearest]
            row_price[row_of[used]] += step
            column_price[used] -= step
            least[~used[:count]] -= step
            column = nearest
        while column != count:
            row_of[column] = row_of[came_from[column]]
            column = int(came_from[column])
    columns = np.empty(count, dtype=np.intp)
    columns[row_of[:count]] = np.arange(count)
    return columns
