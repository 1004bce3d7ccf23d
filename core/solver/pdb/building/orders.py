"""The orders that a pattern's tiles may lie in, and what moves do to them.

An order is the tiles' places in the pattern, by rising cell. Orders are numbered as
`itertools.permutations` counts them.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Orders(NamedTuple):
    """All orders of some tiles, and how moves on boards of one width change them.

    Attributes
    ----------
    places : uint8 array, shape (orders, tiles)
        By order and number of a tile, by rising cell, its place in the pattern.
    kinds : uint8 array, shape (tiles, width, 2)
        The kind of a move: by the number, by rising cell, of the first tile concerned; how many
        are passed; and 1 where the tile goes to a higher cell. Moves that pass none are of kind 0.
    afters : uint16 array, shape (kinds, orders)
        By kind of a move and order before it, the order after it.
    """

    places: NDArray[np.uint8]
    kinds: NDArray[np.uint8]
    afters: NDArray[np.uint16]


@lru_cache(maxsize=4)
def orders_of(tiles: int, width: int) -> Orders:
    """Return all orders of at most 8 tiles, and what moves do to them; read-only.

    Parameters
    ----------
    tiles, width : int
        Of the pattern and of the board.
    """
    places = np.array([*permutations(range(tiles))], dtype=np.uint8)
    digits = np.int64(tiles) ** np.arange(tiles)[::-1]
    keys = places @ digits
    kinds = np.zeros((tiles, width, 2), dtype=np.uint8)
    afters = [np.arange(len(places))]
    for passed in range(1, min(width, tiles)):
        for first in range(tiles - passed):
            concerned = slice(first, first + passed + 1)
            for upwards, shift in enumerate((1, -1)):
                after = places.copy()
                after[:, concerned] = np.roll(places[:, concerned], shift, axis=1)
                kinds[first, passed, upwards] = len(afters)
                afters.append(np.searchsorted(keys, after @ digits))
    orders = Orders(places, kinds, np.array(afters, dtype=np.uint16))
    for table in orders:
        table.flags.writeable = False
    return orders
