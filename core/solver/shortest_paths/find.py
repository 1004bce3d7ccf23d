"""find_shortest_paths(): the optimum first, then all solutions that are as short."""

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
from tilework.core.solver.shortest_paths.layers import (
    DEFAULT_MEMORY_BYTES,
    LayerListener,
    Layers,
    ignore_layer,
)
from tilework.core.solver.shortest_paths.solution_graph import MOST_DRAWN, SolutionGraph
from tilework.core.solver.shortest_paths.stored_solutions import MOST_LISTED, check_size
from tilework.core.solver.solve import solve


@dataclass(frozen=True, slots=True)
class ShortestPathsResult:
    lower_bound: int  # no solution is shorter; proved
    moves: Moves | None  # a solution, replayed; a shortest one wherever there are ways
    ways: SolutionGraph | None  # None where a limit was reached first
    statistics: Statistics = field(default_factory=Statistics)
    stopped_by: StopReason | None = None


def find_shortest_paths(
    board: Board,
    goal: Board,
    *,
    limits: Limits | None = None,
    progress: ProgressListener | None = None,
    layer_made: LayerListener = ignore_layer,
    pdb_folder: Path | None = None,
) -> ShortestPathsResult:
    """Find all shortest solutions of a board.

    Limits are of seconds, of nodes and boards that are kept, and of memory, a gibibyte where it is
    None. ``progress`` is told of the search for the optimum, ``layer_made`` of each layer after it.
    """
    check_size(board.size)
    limits = limits or Limits()
    if limits.memory_bytes is None:
        limits = replace(limits, memory_bytes=DEFAULT_MEMORY_BYTES)
    began = search_clock()
    one = solve(board, goal, limits=limits, progress=progress, pdb_folder=pdb_folder)
    if one.moves is None or not one.optimal:
        return ShortestPathsResult(one.lower_bound, one.moves, None, one.statistics, one.stopped_by)
    layers = Layers(
        board,
        goal,
        len(one.moves),
        limits.after(one.statistics.seconds, one.statistics.generated),
        pdb_folder,
    )
    found = _only_way(board, goal, one.moves) if 1 in board.size else layers.search(layer_made)
    statistics = one.statistics + Statistics(
        expanded=layers.boards,
        generated=layers.boards,
        seconds=search_clock() - began - one.statistics.seconds,
        max_frontier=layers.boards,
    )
    if isinstance(found, StopReason):
        return ShortestPathsResult(one.lower_bound, one.moves, None, statistics, found)
    replay(board, next(found.solutions()), goal)
    return ShortestPathsResult(one.lower_bound, one.moves, found, statistics)


def _only_way(board: Board, goal: Board, moves: Moves) -> SolutionGraph:
    """Return the way of a board one cell wide or high, where the blank can but go straight."""
    boards = [apply(board, moves[:made]) for made in range(len(moves) + 1)]
    layers = [np.array([pack(one)], dtype=np.int64) for one in boards]
    onward = [np.where(np.arange(4) == move, 0, -1).astype(np.int32)[None] for move in moves]
    return SolutionGraph(board, goal, layers, onward)


def shortest_paths_document(
    found: ShortestPathsResult, slides: SlidesResult | None
) -> dict[str, Any]:
    ways = found.ways
    count = None if ways is None else ways.count()
    known = found.moves is not None and len(found.moves) == found.lower_bound
    return {
        "lower_bound": found.lower_bound,
        "length": found.lower_bound if known else None,
        "count": count,
        "boards": None if ways is None else ways.boards,
        "moves": None if ways is None else ways.moves,
        "listed": 0 if count is None else min(count, MOST_LISTED),
        "drawn": ways is not None and ways.boards <= MOST_DRAWN,
        "solution": None if found.moves is None else to_letters(found.moves),
        "fewest_turns": None if ways is None else _with_slides(ways.fewest_slides()),
        "fewest_slides": None if slides is None else _slides(slides),
        "nodes": found.statistics.generated,
        "seconds": round(found.statistics.seconds, 3),
        "stopped_by": None if found.stopped_by is None else found.stopped_by.value,
    }


def _with_slides(moves: Moves) -> dict[str, Any]:
    return {"moves": to_letters(moves), "slides": count_slides(moves)}


def _slides(found: SlidesResult) -> dict[str, Any]:
    return {
        "lower_bound": found.lower_bound,
        "slides": found.slides,
        "moves": None if found.moves is None else to_letters(found.moves),
        "optimal": found.optimal,
    }
