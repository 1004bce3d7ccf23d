"""Searching a slice of a threshold, with tables that are checked before a result is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from tilework.core.errors import DamagedFileError, InputError, OptionError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.puzzle.phrases import goal_size
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    GENERATED,
    MAX_CELLS,
    NEXT_THRESHOLD,
    NO_F,
)
from tilework.core.solver.optimal.choice import engine_for, engine_named
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import Engine, Start, nothing_to_confirm
from tilework.core.solver.optimal.walk import Walk
from tilework.core.solver.piece import Piece, SliceOutcome


def confirm(engine: Engine, start: Start, moves: Moves | None) -> None:
    """Check an engine's stored tables before something is told that rests on them."""
    if engine.confirm is nothing_to_confirm:
        return
    engine.confirm()
    if moves is not None:
        _check_along(engine, start, moves)


def _check_along(engine: Engine, start: Start, moves: Moves) -> None:
    estimates = engine.estimates_along(start, moves)
    left = np.arange(moves.size, -1, -1)
    wrong = np.flatnonzero((estimates > left) | ((left - estimates) % 2 == 1))
    if wrong.size:
        raise DamagedFileError(
            "file-estimate",
            "the tables of {engine} estimate {estimate} moves where a solution has {left}",
            engine=engine.name,
            estimate=int(estimates[wrong[0]]),
            left=int(left[wrong[0]]),
        )


def _never() -> bool:
    return False


def first_threshold(board: Board, goal: Board, pdb_folder: Path | None = None) -> int:
    """Return the estimate of a board: a proved lower bound, where the thresholds begin."""
    engine = engine_of(board, goal, pdb_folder)
    start = engine.start(board)
    confirm(engine, start, None)
    return start.estimate


def search_slice(
    board: Board,
    goal: Board,
    threshold: int,
    cursor: Cursor,
    node_budget: int,
    *,
    cancelled: Callable[[], bool] = _never,
    pdb_folder: Path | None = None,
    engine: str | None = None,
) -> SliceOutcome:
    """Search what a cursor covers for paths of at most ``threshold`` moves.

    Parameters
    ----------
    board, goal : Board; of one size, at most 36 cells; the goal must be reachable
    threshold : int; largest f = moves made + estimate to follow. A path found is optimal where
        every lower threshold was exhausted.
    cursor : Cursor; on the same board
    node_budget : int; nodes to generate before the slice hands back the rest
    cancelled : callable
        Called about every tenth of a second; True ends the slice with the rest remaining.
    engine : str, optional; name of the engine to search with; the best available one by default
    """
    root, end = cursor.ends(board, goal)
    searcher = engine_of(root, end, pdb_folder, engine)
    if board == goal:
        return SliceOutcome(0, None, NO_MOVES, (), searcher.name)
    start = searcher.start(root)
    walk = Walk(searcher, start, threshold, cursor)
    nodes = 0
    while True:
        budget = min(searcher.chunk, node_budget - nodes)
        status = walk.search(budget)
        nodes += int(walk.report[GENERATED])
        if walk.path is not None:
            confirm(searcher, start, walk.path)
            moves = cursor.solution(walk.path)
            return SliceOutcome(nodes, least_over(walk), moves, (), searcher.name)
        if status == EXHAUSTED:
            confirm(searcher, start, None)
            return SliceOutcome(nodes, least_over(walk), None, (), searcher.name)
        if nodes >= node_budget or cancelled():
            confirm(searcher, start, None)
            left = walk.cursor()
            rest = (Piece(left.to_bytes(), left.share(board)),)
            return SliceOutcome(nodes, least_over(walk), None, rest, searcher.name)


def engine_of(
    board: Board, goal: Board, pdb_folder: Path | None, name: str | None = None
) -> Engine:
    """Return the engine for a goal, after checking that the board fits it."""
    if board.size != goal.size:
        raise InputError(goal_size(goal.size, board.size))
    if goal.size.cells > MAX_CELLS:
        raise OptionError(
            "slice-cells",
            "slices of a search are limited to {most} cells; a board of {size} has {cells}",
            most=MAX_CELLS,
            size=goal.size,
            cells=goal.size.cells,
        )
    return engine_for(goal, pdb_folder) if name is None else engine_named(goal, name, pdb_folder)


def least_over(walk: Walk) -> int | None:
    """Return the least f over the threshold that a walk has met; None if there was none."""
    least = int(walk.report[NEXT_THRESHOLD])
    return None if least == NO_F else least
