"""Packed storage of shortest solutions: the first ones, and a small graph."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import OptionError, ReplayError
from tilework.core.formats.solutions import SolutionGraph
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import LETTERS, Moves, blank_steps, from_letters, legal_moves
from tilework.core.puzzle.packing import pack, unpack
from tilework.core.puzzle.replay import replay
from tilework.core.solver.shortest_paths.graph import MAX_DRAWN, ShortestPaths

MAX_LISTED: Final = 1_000  # solutions of a board to store
MAX_CELLS: Final = 16  # of the largest board, whose tiles fit into a 64-bit word
_BITS = 1 << np.arange(4)

Cells = tuple[int, ...]


def check_size(size: Size) -> None:
    if size.cells > MAX_CELLS:
        raise OptionError(
            "ways-cells",
            "all shortest solutions can be found on boards of up to {max} cells; {size} boards "
            "have {cells}",
            max=MAX_CELLS,
            size=size,
            cells=size.cells,
        )


def pack_solutions(graph: ShortestPaths) -> bytes:
    """Pack the first solutions."""
    return pack(np.concatenate(list(islice(graph.solutions(), MAX_LISTED))))


def read_solutions(
    start: Board, goal: Board, packed: bytes, *, count: int, length: int
) -> Iterator[Moves]:
    """Yield the packed solutions, each replayed."""
    moves = unpack(packed)
    if len(moves) != count * length:
        raise _contradiction_error()
    previous = b""
    for number in range(count):
        solution = moves[number * length : (number + 1) * length]
        replay(start, solution, goal)
        code = solution.tobytes()
        if number and code <= previous:
            raise _contradiction_error()
        yield solution
        previous = code


def pack_graph(graph: ShortestPaths) -> bytes | None:
    """Pack the graph of all solutions; return None if it is too large to be drawn."""
    if graph.boards > MAX_DRAWN:
        return None
    packed = bytearray()
    # Indices of the boards of a layer, in the order of the moves that lead to them.
    order: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
    for next_indices in graph.next_indices:
        targets = next_indices[order]
        packed += ((targets >= 0) @ _BITS).astype(np.uint8).tobytes()
        successors = targets[targets >= 0]
        _, first_indices = np.unique(successors, return_index=True)
        order = successors[np.sort(first_indices)].astype(np.int64)
    return zlib.compress(bytes(packed))


def read_graph(
    start: Board, goal: Board, packed: bytes, *, count: int, length: int
) -> SolutionGraph:
    """Unpack a graph; check its number of solutions and their length."""
    masks = iter(_inflate(packed))
    boards: list[Cells] = [tuple(start.cells.tolist())]
    depths = [0]
    moves: list[tuple[int, int, str]] = []
    layer_start = 0
    for depth in range(length):
        layer: dict[Cells, int] = {}
        for index in range(layer_start, len(boards)):
            mask = next(masks, 0)
            if not mask:
                raise _contradiction_error()
            for move in (move for move in range(4) if mask >> move & 1):
                board = _make_move(boards[index], move, start)
                next_index = layer.setdefault(board, len(boards) + len(layer))
                moves.append((index, next_index, LETTERS[move]))
        layer_start = len(boards)
        boards += layer
        depths += [depth + 1] * len(layer)
    if next(masks, None) is not None or boards[layer_start:] != [tuple(goal.cells.tolist())]:
        raise _contradiction_error()
    path_counts = [0] * layer_start + [1]
    for index, next_index, _ in reversed(moves):
        path_counts[index] += path_counts[next_index]
    if path_counts[0] != count:
        raise _contradiction_error()
    return SolutionGraph(
        [Board(list(cells), *start.size) for cells in boards], depths, path_counts, moves
    )


def _make_move(cells: Cells, move: int, start: Board) -> Cells:
    blank = cells.index(0)
    if not legal_moves(blank, *start.size) >> move & 1:
        raise _contradiction_error()
    tile = blank + blank_steps(start.width)[move]
    next_cells = list(cells)
    next_cells[blank], next_cells[tile] = next_cells[tile], 0
    return tuple(next_cells)


def _inflate(packed: bytes) -> bytes:
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(packed, MAX_DRAWN + 1)
    except zlib.error:
        raise _contradiction_error() from None
    if len(data) > MAX_DRAWN or not inflater.eof:
        raise _contradiction_error()
    return data


def _contradiction_error() -> ReplayError:
    return ReplayError("kept-ways", "the stored shortest solutions contradict their count")


def check_document(start: Board, goal: Board, document: dict[str, Any]) -> None:
    length, turns, slides = (document[name] for name in ("length", "fewest_turns", "fewest_slides"))
    if document["solution"] is not None:
        _check_solution(start, goal, document["solution"], length=length)
    if turns is not None:
        _check_solution(start, goal, turns["moves"], length=length, slides=turns["slides"])
    if slides is not None and slides["moves"] is not None:
        _check_solution(start, goal, slides["moves"], slides=slides["slides"])


def _check_solution(
    start: Board, goal: Board, letters: str, length: int | None = None, slides: int | None = None
) -> None:
    moves = from_letters(letters)
    replay(start, moves, goal)
    if length is not None and len(moves) != length:
        raise ReplayError(
            "way-length",
            "a solution of {count} moves is recorded as having {recorded}",
            count=len(moves),
            recorded=length,
        )
    if slides is not None and count_slides(moves) != slides:
        raise ReplayError(
            "way-slides",
            "a solution of {count} slides is recorded as having {recorded}",
            count=count_slides(moves),
            recorded=slides,
        )
