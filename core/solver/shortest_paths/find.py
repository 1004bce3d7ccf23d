"""Finds all shortest solutions of a board."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import Moves, to_letters
from tilework.core.puzzle.replay import apply, replay
from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock
from tilework.core.solver.optimal.a_star import pack
from tilework.core.solver.result import ProgressListener, SlidesResult
from tilework.core.solver.shortest_paths.graph import MAX_DRAWN, ShortestPaths
from tilework.core.solver.shortest_paths.layers import (
    DEFAULT_MEMORY_BYTES,
    LayerListener,
    Layers,
    ignore_layer,
)
from tilework.core.solver.shortest_paths.stored_solutions import MAX_LISTED, check_size
from tilework.core.solver.solve import solve


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
