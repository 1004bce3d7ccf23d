"""Linear conflicts of one line of a board, for every kernel that counts them."""

from __future__ import annotations

from tilework.core.compiling import inlined_part, part
from tilework.core.solver.kernels.constants import INDEX


@part
def tile_on(cells, cell):
    """The tile on a cell of a board in an array: a reader for `conflicts_of`."""
    return cells[INDEX(cell)]


@inlined_part
def conflicts_of(read, board, blank, across, along, line, first, stride, length, tails):
    """Moves that the tiles of one line need beyond their Manhattan distances.

    Twice the fewest tiles that must leave the line to let the others pass: all but the longest
    run of goal places that rises (patience sorting: ``tails``).

    Parameters
    ----------
    read : part of a kernel
        Gives a board's tile on a cell, as `tile_on` does.
    board
        What it reads.
    blank : int
        The blank's cell.
    across, along : int64 arrays
        By tile its goal line among the parallel ones, and its goal's place in that line.
    line, first, stride, length : int
        The line, its first cell, the way to its next one, and its number of cells.
    tails : int64 array, at least as long
        Scratch.
    """
    home = 0
    longest = 0
    for step in range(length):
        cell = first + step * stride
        tile = INDEX(read(board, cell))
        if cell == blank or across[tile] != line:
            continue
        place = along[tile]
        home += 1
        low = 0
        high = longest
        if longest > 0 and tails[INDEX(longest - 1)] < place:
            # Near the goal nearly every tile is in order.
            low = longest
        while low < high:
            middle = (low + high) // 2
            if tails[INDEX(middle)] < place:
                low = middle + 1
            else:
                high = middle
        tails[INDEX(low)] = place
        if low == longest:
            longest += 1
    return 2 * (home - longest)
