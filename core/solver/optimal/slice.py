"""A slice of search: a cursor, one threshold, a budget of nodes.

What a slice returns depends on its input alone, so that it can run anywhere, and again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tilework.core.errors import InputError, OptionError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES
from tilework.core.puzzle.phrases import goal_size
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    GENERATED,
    MAX_CELLS,
    NEXT_THRESHOLD,
    NO_F,
)
from tilework.core.solver.optimal.choice import engine_for, engine_named
from tilework.core.solver.optimal.confirmation import confirm
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import Engine
from tilework.core.solver.optimal.walk import Walk
from tilework.core.solver.piece import Piece, SliceOutcome


def _never() -> bool:
    return False


def first_threshold(board: Board, goal: Board, pdb_folder: Path | None = None) -> int:
    """Return the estimate of a board: a proved lower bound, where the thresholds begin.

    Parameters
    ----------
    board, goal : Board
        Of one size, at most 36 cells; the goal must be reachable.
    pdb_folder : Path, optional
        Folder of the pattern databases; the user's cache folder by default.

    Raises
    ------
    DamagedFileError
        If the pattern databases were changed meanwhile.
    OptionError
        For boards of more than 36 cells.
    """
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
    board, goal : Board
        Of one size, at most 36 cells; the goal must be reachable.
    threshold : int
        Largest f = moves made + estimate to follow. A path found is optimal where every lower
        threshold was exhausted.
    cursor : Cursor
        On the same board.
    node_budget : int
        Nodes to generate before the slice hands back the rest.
    cancelled : callable
        Called about every tenth of a second; True ends the slice with the rest remaining.
    pdb_folder : Path, optional
        Folder of the pattern databases; the user's cache folder by default.
    engine : str, optional
        Name of the engine to search with; the best available one by default.

    Raises
    ------
    DamagedFileError
        If the pattern databases were changed meanwhile: what was found may be wrong.
    OptionError
        For boards of more than 36 cells, and for an engine that is not available.
    InputError
        For a cursor of another board.
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
    """Return the engine for a goal, after checking that the board fits it.

    Raises
    ------
    InputError
        If board and goal differ in size.
    OptionError
        For boards of more than 36 cells, and for an unknown engine.
    """
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
