"""Searching what a cursor covers under one threshold, with tables that are checked afterwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import DamagedFileError, InputError, OptionError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.puzzle.phrases import goal_size
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    FOUND,
    GENERATED,
    MAX_CELLS,
    NEXT_THRESHOLD,
    NO_F,
    TOP,
)
from tilework.core.solver.kernels.depth_first.rows import MOST_DEPTH
from tilework.core.solver.kernels.depth_first.search import BATCH
from tilework.core.solver.optimal.choice import engine_for, engine_named
from tilework.core.solver.optimal.cursor import Cursor, Position, illegal_move, too_deep
from tilework.core.solver.optimal.engines import (
    Engine,
    Stack,
    Start,
    confirm_nothing,
    keep_untried,
    untried_moves,
)
from tilework.core.solver.options import partitions_for_goal
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit


class Tree(NamedTuple):
    engine: Engine
    start: Start  # where the tree begins, laid out for the engine
    end: Board  # what is looked for in it
    root: Cursor

    @property
    def from_goal(self) -> bool:
        return self.root.goal_blank is not None

    def by(self, engine: Engine) -> Tree:
        return Tree(engine, engine.start(self.start.board), self.end, self.root)


def tree_from_board(board: Board, goal: Board, engine: Engine) -> Tree:
    return Tree(engine, engine.start(board), goal, Cursor.root())


def tree_from_goal(board: Board, goal: Board, like: Engine, pdb_folder: Path | None) -> Tree | None:
    if not {*partitions_for_goal(goal)} <= {*partitions_for_goal(board)}:
        return None
    try:
        engine = engine_named(board, like.name, pdb_folder)
    except OptionError:
        return None
    return Tree(engine, engine.start(goal), board, Cursor.root(goal_blank=goal.blank))


# Children of a batch; at the root of a tree a node may have four.
_MOST_CHILDREN = 4 * BATCH


class Walk:
    """The search of what a cursor covers, which can stop anywhere and go on.

    Its ``report`` is what the last call took, at the places of
    `tilework.core.solver.kernels.constants`; its ``path`` the moves through the tree to the goal.
    """

    def __init__(self, engine: Engine, start: Start, threshold: int, cursor: Cursor) -> None:
        if not 0 <= threshold < MOST_DEPTH:
            raise InputError(too_deep())
        self.engine = engine
        self.threshold = threshold
        self.path: Moves | None = None
        self._goal_blank = cursor.goal_blank
        longest = max((len(path) for path, _ in cursor.positions), default=0)
        width = engine.layout.width(max(threshold, longest) + 1)
        # All nodes are counted in one subtree.
        self._stack = Stack.empty(stack_rows(len(cursor.positions), threshold), width, 1)
        self.report = self._stack.report
        self.report[NEXT_THRESHOLD] = NO_F
        # The first position comes to lie on top.
        for position in reversed(cursor.positions):
            row = self.report[TOP]
            self.report[TOP] += lay_out(engine, start, position, self._stack.rows[row : row + 2])

    def search(self, budget: int) -> int:
        status = self.engine.search(self.threshold, budget, self._stack)
        if status == FOUND:
            self.path = path_found(self.engine, self._stack)
        return status

    def going_on(self, engine: Engine, start: Start) -> Walk:
        """Return the search of what is left by another engine."""
        other = Walk(engine, start, self.threshold, self.cursor())
        other.report[NEXT_THRESHOLD] = self.report[NEXT_THRESHOLD]
        return other

    def cursor(self) -> Cursor:
        rows = self._stack.rows[: self.report[TOP]][::-1]
        paths, untried = self.engine.layout.paths(rows), untried_moves(rows)
        return Cursor(tuple(map(Position, paths, untried)), self._goal_blank)


def stack_rows(positions: int, threshold: int) -> int:
    """Return the rows that a search may fill which begins with so many positions."""
    return positions + _MOST_CHILDREN * (threshold + 2)


def lay_out(engine: Engine, start: Start, position: Position, rows: NDArray[np.uint64]) -> bool:
    """Lay a position out in the first of two rows; return whether there is a move to try."""
    rows[0] = 0
    rows[0, : start.row.size] = start.row
    made = engine.replay(np.frombuffer(position.path, dtype=np.uint8), rows).size
    if made < len(position.path):
        raise illegal_move(start.board, made)
    # Where the path breaks the rules they begin again, but it never turns back.
    back = 1 << (position.path[-1] ^ 1) if position.path else 0
    return keep_untried(rows[0], position.moves & ~back)


def path_found(engine: Engine, stack: Stack) -> Moves:
    """Return the moves to the goal that a kernel left on top of a stack."""
    top = stack.report[TOP]
    (path,) = engine.layout.paths(stack.rows[top : top + 1])
    return np.frombuffer(path, dtype=np.uint8)


def confirm(engine: Engine, start: Start, moves: Moves | None) -> None:
    """Check an engine's stored tables before something is told that rests on them."""
    if engine.confirm is confirm_nothing:
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
            rest = (WorkUnit(left.to_bytes(), left.share(board)),)
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
