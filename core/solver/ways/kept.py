"""What is kept of all shortest solutions: the first of them, and their graph where it is small."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import ReplayError
from tilework.core.formats.ways_graph import WaysGraph
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import LETTERS, Moves, blank_steps, legal_moves
from tilework.core.puzzle.packing import pack, unpack
from tilework.core.puzzle.replay import replay
from tilework.core.solver.ways.shortest_ways import MOST_DRAWN, ShortestWays

MOST_LISTED: Final = 1_000  # solutions that are kept of one board
_BITS = 1 << np.arange(4)

Cells = tuple[int, ...]


def pack_solutions(ways: ShortestWays) -> bytes:
    """Pack the first solutions, in the order of `ShortestWays.solutions`."""
    return pack(np.concatenate(list(islice(ways.solutions(), MOST_LISTED))))


def read_solutions(
    start: Board, goal: Board, packed: bytes, *, count: int, length: int
) -> Iterator[Moves]:
    """Yield so many solutions of so many moves that `pack_solutions` packed, each replayed."""
    moves = unpack(packed)
    if len(moves) != count * length:
        raise _contradiction()
    before = b""
    for number in range(count):
        one = moves[number * length : (number + 1) * length]
        replay(start, one, goal)
        code = one.tobytes()
        if number and code <= before:
            raise _contradiction()
        yield one
        before = code


def pack_graph(ways: ShortestWays) -> bytes | None:
    """Pack the graph of all solutions; None where it has too many boards to be drawn."""
    if ways.boards > MOST_DRAWN:
        return None
    packed = bytearray()
    # Places in a layer, in the order in which the moves of the layer before lead to them.
    order: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
    for onward in ways.onward:
        here = onward[order]
        packed += ((here >= 0) @ _BITS).astype(np.uint8).tobytes()
        reached = here[here >= 0]
        _, firsts = np.unique(reached, return_index=True)
        order = reached[np.sort(firsts)].astype(np.int64)
    return zlib.compress(bytes(packed))


def read_graph(start: Board, goal: Board, packed: bytes, *, count: int, length: int) -> WaysGraph:
    """Return the graph of so many solutions of so many moves that `pack_graph` packed."""
    onward = iter(_inflated(packed))
    boards: list[Cells] = [tuple(start.cells.tolist())]
    depths = [0]
    moves: list[tuple[int, int, str]] = []
    first = 0
    for depth in range(length):
        places: dict[Cells, int] = {}
        for place in range(first, len(boards)):
            mask = next(onward, 0)
            if not mask:
                raise _contradiction()
            for move in (move for move in range(4) if mask >> move & 1):
                made = _moved(boards[place], move, start)
                after = places.setdefault(made, len(boards) + len(places))
                moves.append((place, after, LETTERS[move]))
        first = len(boards)
        boards += places
        depths += [depth + 1] * len(places)
    if next(onward, None) is not None or boards[first:] != [tuple(goal.cells.tolist())]:
        raise _contradiction()
    ways = [0] * first + [1]
    for place, after, _ in reversed(moves):
        ways[place] += ways[after]
    if ways[0] != count:
        raise _contradiction()
    return WaysGraph([Board(list(cells), *start.size) for cells in boards], depths, ways, moves)


def _moved(cells: Cells, move: int, start: Board) -> Cells:
    blank = cells.index(0)
    if not legal_moves(blank, *start.size) >> move & 1:
        raise _contradiction()
    tile = blank + blank_steps(start.width)[move]
    made = list(cells)
    made[blank], made[tile] = made[tile], 0
    return tuple(made)


def _inflated(packed: bytes) -> bytes:
    inflater = zlib.decompressobj()
    try:
        plain = inflater.decompress(packed, MOST_DRAWN + 1)
    except zlib.error:
        raise _contradiction() from None
    if len(plain) > MOST_DRAWN or not inflater.eof:
        raise _contradiction()
    return plain


def _contradiction() -> ReplayError:
    return ReplayError(
        "kept-ways", "what is kept of the shortest solutions contradicts their count"
    )
