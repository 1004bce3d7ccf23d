"""A threshold's search that several threads share, in pieces that are cut again and again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits
from tilework.core.search.rounds import Rounds
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    NEXT_THRESHOLD,
    OUT_OF_BUDGET,
)
from tilework.core.solver.optimal.engines import Engine, Start
from tilework.core.solver.optimal.walk import Walk

_PIECES_A_THREAD = 4
"""In one round: a thread that is done early takes the next one."""


class _Ended(NamedTuple):
    """How the search of a piece ended."""

    status: int
    generated: int
    expanded: int


class SharedWalk:
    """What is left of a walk, as many pieces, of which a round searches several at once.

    Which pieces a round takes, how far each is searched and how they are cut depends on the walk
    and the number of threads alone; a solution counts where all pieces before its own were
    searched to their end. So it is the same one each time.

    Parameters
    ----------
    pieces : sequence of Walk
        Under one threshold; they are taken over.
    report : int64 array
        As that of a `Walk`: of what was searched of the tree before.

    Attributes
    ----------
    path : uint8 array or None
        Once one was found, the moves to the goal.
    report : int64 array
        Until the first round the one given, then that of each round.
    """

    def __init__(self, pieces: Sequence[Walk], report: NDArray[np.int64]) -> None:
        self._threshold = pieces[0].threshold
        self._pieces = deque(pieces)
        self.path: Moves | None = None
        self.report = report.copy()

    def search(self, engine: Engine, start: Start, nodes: int | None, rounds: Rounds) -> int:
        """Search some pieces, each for less than a tenth of a second.

        Parameters
        ----------
        engine : Engine
            It goes on where another may have stopped.
        start : Start
            Of the engine.
        nodes : int or None
            To generate at most.
        rounds : Rounds

        Returns
        -------
        int
            As that of a kernel, over all pieces that are left.
        """
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
