"""The graph of all shortest solutions of a board, and its packed storage."""

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

MAX_DRAWN = 2_000  # number of boards of the largest graph that is drawn
_MAX_COUNTED = 1 << 61  # above this, the sum of four counts could overflow
_IMPOSSIBLE = 1 << 20  # slides of an illegal move


class ShortestPaths:
    """The boards on shortest solutions in layers by depth, and the moves between them.

    By depth, board and move, ``next_indices`` is the index of the next board in its layer, or -1.
    """

    def __init__(
        self,
        board: Board,
        goal: Board,
        layers: list[NDArray[np.int64]],
        next_indices: list[NDArray[np.int32]],
    ) -> None:
        self.board = board
        self.goal = goal
        self.layers = layers
        self.next_indices = next_indices

    @property
    def length(self) -> int:
        return len(self.next_indices)

    @property
    def boards(self) -> int:
        return sum(map(len, self.layers))

    @property
    def moves(self) -> int:
        return sum(int((next_indices >= 0).sum()) for next_indices in self.next_indices)

    def count(self) -> int:
        return int(self.count_paths()[0][0])

    def count_paths(self) -> list[NDArray[np.int64] | NDArray[np.object_]]:
        """Return the number of shortest paths to the goal by depth and board."""
        paths: NDArray[np.int64] | NDArray[np.object_] = np.ones(1, dtype=np.int64)
        counts = [paths]
        for next_indices in reversed(self.next_indices):
            if paths.dtype != object and paths.max() > _MAX_COUNTED:
                paths = paths.astype(object)
            paths = np.where(next_indices >= 0, paths[next_indices], 0).sum(axis=1)
            counts.append(paths)
        return counts[::-1]

    def solutions(self) -> Iterator[Moves]:
        """Yield the shortest solutions, in the order of their move codes."""
        path = np.zeros(self.length, dtype=np.uint8)
        untried = [self._list_moves(0, 0)]
        index = [0]
        while untried:
            depth = len(untried) - 1
            if depth == self.length:
                yield path.copy()
            elif untried[-1]:
                move = untried[-1].pop(0)
                path[depth] = move
                index.append(int(self.next_indices[depth][index[-1], move]))
                untried.append(self._list_moves(depth + 1, index[-1]))
                continue
            untried.pop()
            index.pop()

    def fewest_slides(self) -> Moves:
        """Return the shortest solution with the fewest slides."""
        # By depth, board and move: the fewest slides to the goal that start with this move.
        slides: list[NDArray[np.int64]] = []
        # By board and move: the fewest further slides after this move.
        further_slides = np.zeros((1, 4), dtype=np.int64)
        for next_indices in reversed(self.next_indices):
            slides.append(
                np.where(
                    next_indices >= 0, 1 + further_slides[next_indices, np.arange(4)], _IMPOSSIBLE
                )
            )
            further_slides = (slides[-1][:, np.newaxis] - np.eye(4, dtype=np.int64)).min(axis=2)
        path = np.zeros(self.length, dtype=np.uint8)
        index, move = 0, -1
        for depth, layer_slides in enumerate(reversed(slides)):
            move = int((layer_slides[index] - (np.arange(4) == move)).argmin())
            path[depth] = move
            index = int(self.next_indices[depth][index, move])
        return path

    def graph(self) -> SolutionGraph:
        """Return the graph for drawing."""
        if self.boards > MAX_DRAWN:
            raise OptionError(
                "ways-graph",
                "the shortest solutions pass through {boards} boards; graphs of up to {max} "
                "can be drawn",
                boards=self.boards,
                max=MAX_DRAWN,
            )
        layer_starts = np.cumsum([0, *map(len, self.layers)]).tolist()
        moves = [
            (start + index, next_start + int(next_indices[index, move]), LETTERS[move])
            for start, next_start, next_indices in zip(
                layer_starts, layer_starts[1:], self.next_indices, strict=False
            )
            for index, move in np.argwhere(next_indices >= 0).tolist()
        ]
        return SolutionGraph(
            boards=[self._unpack(int(packed)) for layer in self.layers for packed in layer],
            depths=[depth for depth, layer in enumerate(self.layers) for _ in layer],
            path_counts=[int(count) for counts in self.count_paths() for count in counts],
            moves=moves,
        )

    def _unpack(self, packed: int) -> Board:
        size = self.goal.size
        cells = [packed >> 4 * cell & 15 for cell in range(size.cells)]
        return Board(cells, *size)

    def _list_moves(self, depth: int, index: int) -> list[int]:
        if depth == self.length:
            return []
        moves: list[int] = np.flatnonzero(self.next_indices[depth][index] >= 0).tolist()
        return moves


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
