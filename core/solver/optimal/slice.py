"""Slices: searches of the part of a threshold's tree that a cursor covers."""

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
from tilework.core.solver.kernels.depth_first.search import BATCH, MAX_DEPTH
from tilework.core.solver.optimal.cursor import Cursor, Position, depth_message, illegal_move_error
from tilework.core.solver.optimal.engine_choice import find_engine, select_engine
from tilework.core.solver.optimal.engines import (
    Engine,
    Stack,
    Start,
    confirm_nothing,
    read_untried_moves,
    restrict_untried_moves,
)
from tilework.core.solver.result import SliceOutcome, WorkUnit
from tilework.core.solver.strategy import partitions_for_goal


class Tree(NamedTuple):
    engine: Engine
    start: Start  # the root, prepared for the engine
    end: Board  # the board to reach
    root: Cursor

    @property
    def from_goal(self) -> bool:
        return self.root.goal_blank is not None

    @property
    def puzzle(self) -> tuple[Board, Board]:
        """The board and the goal."""
        ends = self.start.board, self.end
        return ends[::-1] if self.from_goal else ends

    def with_engine(self, engine: Engine) -> Tree:
        return Tree(engine, engine.start(self.start.board), self.end, self.root)


def tree_from_board(board: Board, goal: Board, engine: Engine) -> Tree:
    return Tree(engine, engine.start(board), goal, Cursor.root())


def tree_from_goal(
    board: Board, goal: Board, reference: Engine, pdb_folder: Path | None
) -> Tree | None:
    if not {*partitions_for_goal(goal)} <= {*partitions_for_goal(board)}:
        return None
    try:
        engine = find_engine(board, reference.name, pdb_folder)
    except OptionError:
        return None
    return Tree(engine, engine.start(goal), board, Cursor.root(goal_blank=goal.blank))


# Children of a batch; the root of a tree may have four children
_MAX_CHILDREN = 4 * BATCH


class Walk:
    """A depth-first search of the part of a tree that a cursor covers; it can stop and resume.

    ``report`` contains the statistics of the last call, at the indices of
    `tilework.core.solver.kernels.constants`. Once a path to the goal is found, it is in ``path``.
    """

    def __init__(self, engine: Engine, start: Start, threshold: int, cursor: Cursor) -> None:
        if not 0 <= threshold < MAX_DEPTH:
            raise InputError(depth_message())
        self.engine = engine
        self.threshold = threshold
        self.path: Moves | None = None
        self._goal_blank = cursor.goal_blank
        longest = max((len(path) for path, _ in cursor.positions), default=0)
        width = engine.layout.width(max(threshold, longest) + 1)
        # All nodes count as one subtree.
        self._stack = Stack.empty(count_stack_rows(len(cursor.positions), threshold), width, 1)
        self.report = self._stack.report
        self.report[NEXT_THRESHOLD] = NO_F
        # The first position belongs on top.
        for position in reversed(cursor.positions):
            row = self.report[TOP]
            self.report[TOP] += write_position(
                engine, start, position, self._stack.rows[row : row + 2]
            )

    def search(self, budget: int) -> int:
        status = self.engine.search(self.threshold, budget, self._stack)
        if status == FOUND:
            self.path = read_path(self.engine, self._stack)
        return status

    def cursor(self) -> Cursor:
        rows = self._stack.rows[: self.report[TOP]][::-1]
        paths, untried = self.engine.layout.paths(rows), read_untried_moves(rows)
        return Cursor(tuple(map(Position, paths, untried)), self._goal_blank)


def count_stack_rows(positions: int, threshold: int) -> int:
    """Return the number of rows that the stack of a search needs."""
    return positions + _MAX_CHILDREN * (threshold + 2)


def write_position(
    engine: Engine, start: Start, position: Position, rows: NDArray[np.uint64]
) -> bool:
    """Write a position to the first of two rows; return whether there is a move to try."""
    rows[0] = 0
    rows[0, : start.row.size] = start.row
    legal_count = engine.replay(np.frombuffer(position.path, dtype=np.uint8), rows).size
    if legal_count < len(position.path):
        raise illegal_move_error(start.board, legal_count)
    # Pruning restarts where the path violates the rules, but the last move must not be undone.
    reverse = 1 << (position.path[-1] ^ 1) if position.path else 0
    return restrict_untried_moves(rows[0], position.moves & ~reverse)


def read_path(engine: Engine, stack: Stack) -> Moves:
    """Return the moves to the goal that a kernel left on top of a stack."""
    top = stack.report[TOP]
    (path,) = engine.layout.paths(stack.rows[top : top + 1])
    return np.frombuffer(path, dtype=np.uint8)


def confirm(engine: Engine, start: Start, moves: Moves | None) -> None:
    """Check an engine's stored tables before using a result that depends on them."""
    if engine.confirm is confirm_nothing:
        return
    engine.confirm()
    if moves is not None:
        _check_estimates(engine, start, moves)


def _check_estimates(engine: Engine, start: Start, moves: Moves) -> None:
    estimates = engine.estimates_along(start, moves)
    lengths = np.arange(moves.size, -1, -1)
    invalid = np.flatnonzero((estimates > lengths) | ((lengths - estimates) % 2 == 1))
    if invalid.size:
        raise DamagedFileError(
            "file-estimate",
            "the tables of {engine} estimate {estimate} moves where a solution needs {left}",
            engine=engine.name,
            estimate=int(estimates[invalid[0]]),
            left=int(lengths[invalid[0]]),
        )


def first_threshold(board: Board, goal: Board, pdb_folder: Path | None = None) -> int:
    """Return the estimate of a board: a proven lower bound and the first threshold."""
    engine = check_and_select_engine(board, goal, pdb_folder)
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
    cancelled: Callable[[], bool] = bool,
    pdb_folder: Path | None = None,
    engine: str | None = None,
) -> SliceOutcome:
    """Search the part of a tree that a cursor covers for paths of at most ``threshold`` moves.

    Parameters
    ----------
    board, goal : Board; of the same size, at most 36 cells; the goal must be reachable
    threshold : int; maximum f = moves made + estimate. A path is optimal if all lower thresholds
        were exhausted.
    cancelled : callable; called about every 0.1 s; if true, the slice ends
    engine : str, optional; name of the engine; by default the best available one
    """
    root, end = cursor.ends(board, goal)
    searcher = check_and_select_engine(root, end, pdb_folder, engine)
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
            return SliceOutcome(nodes, read_next_threshold(walk), moves, (), searcher.name)
        if status == EXHAUSTED:
            confirm(searcher, start, None)
            return SliceOutcome(nodes, read_next_threshold(walk), None, (), searcher.name)
        if nodes >= node_budget or cancelled():
            confirm(searcher, start, None)
            cursor = walk.cursor()
            remaining = (WorkUnit(cursor.to_bytes(), cursor.share(board)),)
            return SliceOutcome(nodes, read_next_threshold(walk), None, remaining, searcher.name)


def check_and_select_engine(
    board: Board, goal: Board, pdb_folder: Path | None, name: str | None = None
) -> Engine:
    """Return an engine for a goal after checking the sizes of board and goal."""
    if board.size != goal.size:
        raise InputError(goal_size(goal.size, board.size))
    if goal.size.cells > MAX_CELLS:
        raise OptionError(
            "slice-cells",
            "split searches are limited to {max} cells; {size} boards have {cells}",
            max=MAX_CELLS,
            size=goal.size,
            cells=goal.size.cells,
        )
    return select_engine(goal, pdb_folder) if name is None else find_engine(goal, name, pdb_folder)


def read_next_threshold(walk: Walk) -> int | None:
    """Return the minimum f above the threshold of a walk; None if no node was pruned."""
    threshold = int(walk.report[NEXT_THRESHOLD])
    return None if threshold == NO_F else threshold
