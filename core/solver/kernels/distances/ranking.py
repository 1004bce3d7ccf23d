"""Numbering all boards of a size without gaps, and the number of a board after a move.

The tiles in the order of their cells, without the blank, are a permutation; its Lehmer code has for
each tile how many smaller ones follow. Read as digits in falling bases the code is the rank of the
permutation among all. Half of the permutations cannot be reached: the last digit but one, 0 or 1,
follows from the others, and is left out.

A move takes one tile past some of its neighbors in that order, or past none. Each step exchanges
two neighbors, which can be told from the code alone (D. E. Knuth, The Art of Computer Programming,
volume 3, section 5.1.1, on inversion tables): no permutation is ever written out.
"""

from __future__ import annotations

from tilework.core.compiling import part


@part
def read_code(rank, weights, parity, code):
    """Write the Lehmer code of a rank.

    Parameters
    ----------
    rank : int
    weights : int64 array, shape (tiles,)
        What each digit counts in the rank; 0 for the last two.
    parity : int
        1 where the permutation is odd, else 0.
    code : int64 array, shape (tiles,), changed in place
    """
    last = code.size - 2
    total = 0
    for place in range(last):
        code[place] = rank // weights[place]
        rank -= code[place] * weights[place]
        total += code[place]
    code[last] = (parity - total) & 1
    code[last + 1] = 0


@part
def rank_change(code, origin, target, weights):
    """Return by how much the rank grows when a tile leaves its place in the order for another.

    Parameters
    ----------
    code : int64 array, shape (tiles,)
    origin, target : int
        Places in the order of the tiles.
    weights : int64 array, shape (tiles,)
    """
    digit = code[origin]
    change = 0
    if origin < target:
        for place in range(origin, target):
            other = code[place + 1]
            if digit <= other:
                other += 1
            else:
                digit -= 1
            change += (other - code[place]) * weights[place]
    else:
        for place in range(origin, target, -1):
            other = code[place - 1]
            if other <= digit:
                digit += 1
            else:
                other -= 1
            change += (other - code[place]) * weights[place]
    return change + (digit - code[target]) * weights[target]


@part
def number_change(code, blank, cell, weights):
    """Return by how much a board's number grows when the blank goes to another cell.

    A board's number is its permutation's rank, and for each cell before the blank as many as there
    are ranks.

    Parameters
    ----------
    code : int64 array, shape (tiles,)
    blank, cell : int
        In the order of the cells.
    weights : int64 array, shape (tiles,)
    """
    ranks = weights[0] * code.size
    origin = cell - 1 if cell > blank else cell
    target = blank - 1 if blank > cell else blank
    return (cell - blank) * ranks + rank_change(code, origin, target, weights)
