"""A cursor laid out for a search under one threshold."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import InputError, OptionError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits
from tilework.core.search.rounds import Rounds
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    NEXT_THRESHOLD,
    NO_F,
    OUT_OF_BUDGET,
    TOP,
)
from tilework.core.solver.kernels.depth_first.rows import MOST_DEPTH
from tilework.core.solver.kernels.depth_first.search import BATCH
from tilework.core.solver.optimal.choice import engine_named
from tilework.core.solver.optimal.cursor import Cursor, Position, illegal_move, too_deep
from tilework.core.solver.optimal.engines import Engine, Stack, Start
from tilework.core.solver.optimal.layout import keep_untried, untried_moves
from tilework.core.solver.options import partitions_of


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
    if not {*partitions_of(goal)} <= {*partitions_of(board)}:
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

    Attributes
    ----------
    report : int64 array, shape (REPORT_LENGTH,)
        What the last call took, at the places of `tilework.core.solver.kernels.constants`.
    path : uint8 array or None; once one was found, the moves through the tree
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


_PIECES_A_THREAD = 4  # in one round: a thread that is done early takes the next one


class _Ended(NamedTuple):
    status: int
    generated: int
    expanded: int


class SharedWalk:
    """What is left of a walk, as many pieces, of which a round searches several at once.

    Which pieces a round takes, how far each is searched and how they are cut depends on the walk
    and the number of threads alone; a solution counts where all pieces before its own were
    searched to their end. So it is the same one each time.

    Attributes
    ----------
    path : uint8 array or None; once one was found, the moves to the goal
    report : int64 array; until the first round the one given, then that of each round
    """

    def __init__(self, pieces: Sequence[Walk], report: NDArray[np.int64]) -> None:
        self._threshold = pieces[0].threshold
        self._pieces = deque(pieces)
        self.path: Moves | None = None
        self.report = report.copy()

    def search(self, engine: Engine, start: Start, nodes: int | None, rounds: Rounds) -> int:
        """Search some pieces, each for less than a tenth of a second."""
        self._cut(engine, start, _PIECES_A_THREAD * rounds.threads)
        taken = [
            self._pieces.popleft()
            for _ in range(min(len(self._pieces), _PIECES_A_THREAD * rounds.threads))
        ]

        def attempt(walk: Walk, limits: Limits) -> _Ended:
            budget = engine.chunk if limits.nodes is None else min(engine.chunk, limits.nodes)
            status = walk.search(budget)
            return _Ended(status, int(walk.report[GENERATED]), int(walk.report[EXPANDED]))

        tries: list[Callable[[Limits], _Ended]] = [partial(attempt, walk) for walk in taken]
        ends = rounds.run(tries, nodes, lambda ended: ended.status == FOUND)
        self.report[GENERATED] = self.report[EXPANDED] = 0
        left: list[Walk] = []
        for walk, ended in zip(taken, ends, strict=False):
            if ended is None:
                left.append(walk)
                continue
            self.report[GENERATED] += ended.generated
            self.report[EXPANDED] += ended.expanded
            if ended.status == FOUND:
                self.path = walk.path
                return FOUND
            least = min(self.report[NEXT_THRESHOLD], walk.report[NEXT_THRESHOLD])
            self.report[NEXT_THRESHOLD] = least
            if ended.status == OUT_OF_BUDGET:
                left.append(walk)
        self._pieces.extendleft(reversed(left))
        return OUT_OF_BUDGET if self._pieces else EXHAUSTED

    def _cut(self, engine: Engine, start: Start, wanted: int) -> None:
        """Cut pieces until there are as many as wanted, or hardly any that can be cut."""
        for _ in range(len(self._pieces)):
            walk = self._pieces.popleft()
            if walk.engine is not engine:
                walk = walk.going_on(engine, start)
            self._pieces.append(walk)
        for _ in range(wanted):
            if len(self._pieces) >= wanted:
                return
            # The largest are those that were cut the longest ago.
            walk = self._pieces.popleft()
            halves = walk.cursor().split()
            if halves is None:
                self._pieces.append(walk)
                continue
            for half in halves:
                self._pieces.append(Walk(engine, start, self._threshold, half))
