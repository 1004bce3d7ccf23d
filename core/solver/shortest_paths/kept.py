"""What is kept of all shortest solutions, packed and checked: the first, and a small graph."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import OptionError, ReplayError
from tilework.core.formats.solution_graph import SolutionGraph
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.metric import slides_in
from tilework.core.puzzle.moves import LETTERS, Moves, blank_steps, from_letters, legal_moves
from tilework.core.puzzle.packing import pack, unpack
from tilework.core.puzzle.replay import replay
from tilework.core.solver.shortest_paths.shortest_ways import MOST_DRAWN, ShortestWays

MOST_LISTED: Final = 1_000  # solutions that are kept of one board
MOST_CELLS: Final = 16  # cells of the largest board: its tiles fit one word of 64 bits
_BITS = 1 << np.arange(4)

Cells = tuple[int, ...]


def check_size(size: Size) -> None:
    if size.cells > MOST_CELLS:
        raise OptionError(
            "ways-cells",
            "all shortest solutions are found on boards of up to {most} cells; "
            "one of {size} has {cells}",
            most=MOST_CELLS,
            size=size,
            cells=size.cells,
        )


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


def read_graph(
    start: Board, goal: Board, packed: bytes, *, count: int, length: int
) -> SolutionGraph:
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
    return SolutionGraph([Board(list(cells), *start.size) for cells in boards], depths, ways, moves)


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


def check_document(start: Board, goal: Board, document: dict[str, Any]) -> None:
    length, turns, slides = (document[name] for name in ("length", "fewest_turns", "fewest_slides"))
    if document["solution"] is not None:
        _check(start, goal, document["solution"], length=length)
    if turns is not None:
        _check(start, goal, turns["moves"], length=length, slides=turns["slides"])
    if slides is not None and slides["moves"] is not None:
        _check(start, goal, slides["moves"], slides=slides["slides"])


def _check(
    start: Board, goal: Board, letters: str, length: int | None = None, slides: int | None = None
) -> None:
    moves = from_letters(letters)
    replay(start, moves, goal)
    if length is not None and len(moves) != length:
        raise ReplayError(
            "way-length",
            "a way of {count} moves is told to have {told}",
            count=len(moves),
            told=length,
        )
    if slides is not None and slides_in(moves) != slides:
        raise ReplayError(
            "way-slides",
            "a way of {count} slides is told to have {told}",
            count=slides_in(moves),
            told=slides,
        )
