"""Breadth-first search for all boards on shortest solutions.

R. Zhou and E. Hansen, "Breadth-first heuristic search", Artificial Intelligence 170 (2006): if the
optimum is known, boards whose depth plus estimate exceeds it are pruned, and each layer is
generated from the previous one. All layers are stored. A backward pass from the goal then keeps
only the boards with a move to a board of the next layer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import Moves, blank_steps, neighbor_table, to_letters
from tilework.core.puzzle.replay import apply, replay
from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns
from tilework.core.solver.kernels.a_star import fill_slots
from tilework.core.solver.kernels.shortest_paths import expand_boards
from tilework.core.solver.optimal.a_star import pack
from tilework.core.solver.optimal.engine_choice import select_additive_engine
from tilework.core.solver.result import ProgressListener, SlidesResult
from tilework.core.solver.shortest_paths.graph import (
    MAX_DRAWN,
    MAX_LISTED,
    ShortestPaths,
    check_size,
)
from tilework.core.solver.solve import solve

CHUNK = 100_000  # boards expanded between two checks of the limits: tens of milliseconds
DEFAULT_MEMORY_BYTES = 1 << 30  # enough for about 110 million boards
_BOARD_BYTES = 8 + 1
_MAX_CHILDREN = 4

States = NDArray[np.int64]
Fields = NDArray[np.uint8]
Item = TypeVar("Item", bound=np.generic)

# Called with the depth of the layer and the length of a solution
LayerListener = Callable[[int, int], object]


def ignore_layer(_depth: int, _length: int) -> None:
    """Ignore a layer."""


@dataclass(slots=True)
class Layers:
    board: Board
    goal: Board
    length: int
    limits: Limits
    pdb_folder: Path | None = None
    boards: int = 1  # number of boards stored so far, in all layers
    _layers: list[tuple[States, Fields]] = field(default_factory=list)
    _started: float = field(default_factory=search_clock)

    def search(self, on_layer: LayerListener = ignore_layer) -> ShortestPaths | StopReason:
        """Return the graph of all shortest solutions, or the limit that was reached."""
        engine = select_additive_engine(self.goal, self.pdb_folder)
        start = np.array([pack(self.board)], dtype=np.int64)
        self._layers = [(start, np.array([self.board.blank << 4], dtype=np.uint8))]
        for depth in range(self.length):
            stopped_by = self._deepen(engine.patterns, self.length - depth - 1)
            if stopped_by is not None:
                return stopped_by
            on_layer(depth + 1, self.length)
        engine.confirm()
        if len(self._layers[-1][0]) != 1:
            raise DamagedFileError(
                "no-way-found",
                "the tables of {engine} lead to no solution of {length} moves",
                engine=engine.name,
                length=self.length,
            )
        return self._build_graph()

    def _deepen(self, patterns: AdditivePatterns, moves_left: int) -> StopReason | None:
        """Generate the next layer, whose boards are ``moves_left`` moves from the goal."""
        states, fields = self._layers[-1]
        neighbors = neighbor_table(self.goal.size)
        next_states, next_fields = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint8)
        table = np.zeros(1, dtype=np.int32)
        count = 0
        for first in range(0, len(states), CHUNK):
            last = min(first + CHUNK, len(states))
            room = count + _MAX_CHILDREN * (last - first)
            if room > len(next_states):
                room = max(room, 2 * len(next_states))
                slots = 1 << (2 * room - 1).bit_length()
                needed_bytes = _BOARD_BYTES * (self.boards + count + room) + table.itemsize * slots
                if (stopped_by := self._check_limits(count, needed_bytes)) is not None:
                    return stopped_by
                next_states = _enlarge(next_states[:count], room)
                next_fields = _enlarge(next_fields[:count], room)
                table = np.zeros(slots, dtype=np.int32)
                fill_slots(next_states, table, count)
            elif (stopped_by := self._check_limits(count)) is not None:
                return stopped_by
            count = expand_boards(
                patterns.entries, patterns.slots, patterns.terms, patterns.offsets,
                neighbors, states, fields, first, last, moves_left, next_states, next_fields, table,
                count,
            )  # fmt: skip
        self._layers.append((next_states[:count].copy(), next_fields[:count].copy()))
        self.boards += count
        return None

    def _check_limits(self, count: int, memory_bytes: int = 0) -> StopReason | None:
        seconds = search_clock() - self._started
        return self.limits.check(seconds, self.boards + count, memory_bytes)

    def _build_graph(self) -> ShortestPaths:
        layer_states, layer_fields = self._layers[-1]
        layers = [layer_states]
        next_indices: list[NDArray[np.int32]] = []
        for states, fields in reversed(self._layers[:-1]):
            numbers, moves = np.nonzero(layer_fields[:, np.newaxis] >> np.arange(4) & 1)
            blanks = layer_fields[numbers].astype(np.int64) >> 4
            previous_states = _undo(layer_states[numbers], blanks, moves, self.board.width)
            layer_states, indices = np.unique(previous_states, return_inverse=True)
            layer_indices = np.full((len(layer_states), 4), -1, dtype=np.int32)
            layer_indices[indices, moves] = numbers
            layer_fields = _find_fields(layer_states, states, fields)
            layers.append(layer_states)
            next_indices.append(layer_indices)
        return ShortestPaths(self.board, self.goal, layers[::-1], next_indices[::-1])


def _enlarge(array: NDArray[Item], room: int) -> NDArray[Item]:
    enlarged = np.empty(room, dtype=array.dtype)
    enlarged[: array.size] = array
    return enlarged


def _undo(
    states: States, blanks: NDArray[np.int64], moves: NDArray[np.int64], width: int
) -> States:
    # The blank came from the cell that the moved tile is on now.
    former_blanks = blanks - np.array(blank_steps(width))[moves]
    tiles = states >> 4 * former_blanks & 15
    previous_states: States = states ^ tiles << 4 * former_blanks ^ tiles << 4 * blanks
    return previous_states


def _find_fields(targets: States, states: States, fields: Fields) -> Fields:
    """Return the fields of some sorted boards of a layer, which is not sorted."""
    target_fields = np.empty(len(targets), dtype=np.uint8)
    for first in range(0, len(states), CHUNK):
        chunk = states[first : first + CHUNK]
        indices = np.searchsorted(targets, chunk)
        indices[indices == len(targets)] = 0
        matches = targets[indices] == chunk
        target_fields[indices[matches]] = fields[first : first + CHUNK][matches]
    return target_fields


@dataclass(frozen=True, slots=True)
class ShortestPathsResult:
    lower_bound: int  # proven: no solution is shorter
    moves: Moves | None  # a replayed solution; a shortest one if there is a graph
    graph: ShortestPaths | None  # None if a limit was reached
    statistics: Statistics = field(default_factory=Statistics)
    stopped_by: StopReason | None = None


def find_shortest_paths(
    board: Board,
    goal: Board,
    *,
    limits: Limits | None = None,
    progress: ProgressListener | None = None,
    on_layer: LayerListener = ignore_layer,
    pdb_folder: Path | None = None,
) -> ShortestPathsResult:
    """Find all shortest solutions of a board.

    The node limit includes stored boards; the memory limit is one gibibyte by default.
    ``progress`` is called during the search for the optimum, and ``on_layer`` after each layer.
    """
    check_size(board.size)
    limits = limits or Limits()
    if limits.memory_bytes is None:
        limits = replace(limits, memory_bytes=DEFAULT_MEMORY_BYTES)
    started = search_clock()
    first = solve(board, goal, limits=limits, progress=progress, pdb_folder=pdb_folder)
    first_moves = None if first.moves is None else first.moves[:]
    if first_moves is None or not first.optimal:
        return ShortestPathsResult(
            first.lower_bound, first_moves, None, first.statistics, first.stopped_by
        )
    layers = Layers(
        board,
        goal,
        len(first_moves),
        limits.after(first.statistics.seconds, first.statistics.generated),
        pdb_folder,
    )
    paths = (
        _make_single_path(board, goal, first_moves) if 1 in board.size else layers.search(on_layer)
    )
    statistics = first.statistics + Statistics(
        expanded=layers.boards,
        generated=layers.boards,
        seconds=search_clock() - started - first.statistics.seconds,
        max_frontier=layers.boards,
    )
    if isinstance(paths, StopReason):
        return ShortestPathsResult(first.lower_bound, first_moves, None, statistics, paths)
    replay(board, next(paths.solutions()), goal)
    return ShortestPathsResult(first.lower_bound, first_moves, paths, statistics)


def _make_single_path(board: Board, goal: Board, moves: Moves) -> ShortestPaths:
    """Return the graph of a board one cell wide or high, which has a single solution."""
    boards = [apply(board, moves[:count]) for count in range(len(moves) + 1)]
    layers = [np.array([pack(position)], dtype=np.int64) for position in boards]
    next_indices = [np.where(np.arange(4) == move, 0, -1).astype(np.int32)[None] for move in moves]
    return ShortestPaths(board, goal, layers, next_indices)


def shortest_paths_document(
    result: ShortestPathsResult, slides: SlidesResult | None
) -> dict[str, Any]:
    graph = result.graph
    count = None if graph is None else graph.count()
    is_optimal = result.moves is not None and len(result.moves) == result.lower_bound
    return {
        "lower_bound": result.lower_bound,
        "length": result.lower_bound if is_optimal else None,
        "count": count,
        "boards": None if graph is None else graph.boards,
        "moves": None if graph is None else graph.moves,
        "listed": 0 if count is None else min(count, MAX_LISTED),
        "drawn": graph is not None and graph.boards <= MAX_DRAWN,
        "solution": None if result.moves is None else to_letters(result.moves),
        "fewest_turns": None if graph is None else _path_document(graph.fewest_slides()),
        "fewest_slides": None if slides is None else _slides_document(slides),
        "nodes": result.statistics.generated,
        "seconds": round(result.statistics.seconds, 3),
        "stopped_by": None if result.stopped_by is None else result.stopped_by.value,
    }


def _path_document(moves: Moves) -> dict[str, Any]:
    return {"moves": to_letters(moves), "slides": count_slides(moves)}


def _slides_document(result: SlidesResult) -> dict[str, Any]:
    return {
        "lower_bound": result.lower_bound,
        "slides": result.slides,
        "moves": None if result.moves is None else to_letters(result.moves),
        "optimal": result.optimal,
    }
