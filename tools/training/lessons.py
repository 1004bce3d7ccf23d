"""What is learned from: beams' solutions, and the boards that were beside them in the beam."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import Moves, blank_steps
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.solver.large.beam import beam_search
from tilework.core.solver.large.learned.beam import LearnedBeam, quotas_for
from tilework.core.solver.large.learned.potential import Labels, Potential, labels_of
from tilework.core.solver.optimal.choice import additive_engine_for
from tools.training.losses import Loss, RankingLoss, StretchLoss
from tools.training.rows import Rows

BESIDE = 6
"""Boards of a level that the solution's board is compared with."""

_LONGEST = 400  # moves of a solution, more than any of these boards has
_STRETCH = 30
"""Moves of a stretch."""


@dataclass(frozen=True, slots=True)
class Lesson:
    side: int
    boards: int
    width: int
    every: int = 8
    by_databases: bool = False

    @property
    def size(self) -> Size:
        return Size(self.side, self.side)


@dataclass(frozen=True, slots=True)
class Example:
    """A solved board.

    Attributes
    ----------
    size : Size
    boards : uint16 array, shape (moves, cells)
        All boards of the solution but the goal, as labels.
    compared : uint16 array, shape (groups, 1 + BESIDE, cells)
        A board of the solution, and others of its level.
    """

    size: Size
    boards: Labels
    compared: Labels


def example(lesson: Lesson, potential: Potential | None, seed: int, number: int) -> Example | None:
    """Solve a lesson's board of a number; None where the beam finds nothing."""
    random = np.random.default_rng([seed, lesson.side, number])
    size = lesson.size
    goal = blank_last(size)
    board = scramble(size, goal, int(random.integers(1 << 62)))
    labels = labels_of(board, goal)
    beside: list[tuple[int, Labels]] = []
    if lesson.by_databases:
        patterns = additive_engine_for(goal).patterns
        moves = beam_search(board, goal, lesson.width, patterns, upper_bound=_LONGEST).moves
    elif potential is None:
        raise ValueError("without pattern databases, a lesson needs a potential")
    else:
        beam = LearnedBeam(
            size, lesson.width, quotas_for(size), potential, most_levels=lesson.every
        )

        def watch(level: int, boards: Labels) -> None:
            beside.append((level, boards[random.integers(len(boards), size=BESIDE)].copy()))

        moves = beam.run(labels, goal.blank, None, Limits(), watch=watch).moves
    if moves is None:
        return None
    boards = _boards_along(labels, goal.blank, moves, size.width)
    compared = [
        np.concatenate([boards[level : level + 1], others])
        for level, others in beside
        if level < len(boards)
    ]
    shape = (-1, 1 + BESIDE, size.cells)
    return Example(size, boards, np.array(compared, dtype=np.uint16).reshape(shape))


def losses_of(examples: list[Example], every: int) -> list[Loss]:
    """Return what examples ask of a potential; stretches have one row every so many moves."""
    losses: list[Loss] = []
    for size in sorted({one.size for one in examples}):
        some = [one for one in examples if one.size == size]
        losses.append(_stretches(size, some, every))
        compared = np.concatenate([one.compared for one in some])
        if len(compared):
            rows = _rows(size, compared.reshape(-1, size.cells))
            losses.append(RankingLoss(rows, compared.shape[1]))
    return losses


def _stretches(size: Size, examples: list[Example], every: int) -> StretchLoss:
    boards, lengths, groups = [], [], [0]
    stretch = _STRETCH // every
    for one in examples:
        left = np.arange(len(one.boards), 0, -every)
        boards.append(one.boards[::every])
        lengths.append(left)
        # A last group of less than half a stretch joins the one before it.
        cuts = [*range(stretch, left.size - stretch // 2, stretch), left.size]
        groups += [groups[-1] + cut for cut in np.diff([0, *cuts]).cumsum()]
    rows = _rows(size, np.concatenate(boards))
    return StretchLoss(rows, np.concatenate(lengths).astype(np.float64), np.array(groups))


def _rows(size: Size, labels: Labels) -> Rows:
    return Rows.of(size, labels, np.full(len(labels), size.cells - 1))


def _boards_along(labels: Labels, home: int, moves: Moves, width: int) -> Labels:
    """Return the board before each move."""
    ways = blank_steps(width)
    boards = np.empty((moves.size, labels.size), dtype=np.uint16)
    now, blank = labels.copy(), int(np.flatnonzero(labels == home)[0])
    for at, move in enumerate(moves):
        boards[at] = now
        source = blank + ways[move]
        now[blank], now[source] = now[source], home
        blank = source
    return boards
