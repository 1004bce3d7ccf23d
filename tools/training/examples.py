"""Training examples: solutions of beams, and other boards of the same beam levels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import Moves, blank_steps
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.solver.large.beam import beam_search
from tilework.core.solver.large.learned.beam import LearnedBeam, choose_quotas
from tilework.core.solver.large.learned.potential import Labels, Potential, label_tiles
from tilework.core.solver.optimal.choice import select_additive_engine
from tools.training.losses import Loss, RankingLoss, StretchLoss
from tools.training.rows import Rows

COMPARED = 6
"""Boards of a level that are compared with the solution's board."""

_LONGEST = 400  # moves, more than any of these boards takes
_STRETCH = 30
"""Moves of a stretch."""


@dataclass(frozen=True, slots=True)
class BoardSet:
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
        All boards of the solution except the goal, as labels.
    compared : uint16 array, shape (groups, 1 + COMPARED, cells)
        A board of the solution, then others of its level.
    """

    size: Size
    boards: Labels
    compared: Labels


def make_example(
    boards_set: BoardSet, potential: Potential | None, seed: int, number: int
) -> Example | None:
    """Solve one board of a set; None if the beam finds no solution."""
    random = np.random.default_rng([seed, boards_set.side, number])
    size = boards_set.size
    goal = blank_last(size)
    board = scramble(size, goal, int(random.integers(1 << 62)))
    labels = label_tiles(board, goal)
    others: list[tuple[int, Labels]] = []
    if boards_set.by_databases:
        patterns = select_additive_engine(goal).patterns
        moves = beam_search(board, goal, boards_set.width, patterns, upper_bound=_LONGEST).moves
    elif potential is None:
        raise ValueError("without pattern databases, a board set needs a potential")
    else:
        beam = LearnedBeam(
            size, boards_set.width, choose_quotas(size), potential, max_levels=boards_set.every
        )

        def watch(level: int, boards: Labels) -> None:
            others.append((level, boards[random.integers(len(boards), size=COMPARED)].copy()))

        moves = beam.run(labels, goal.blank, None, Limits(), on_levels=watch).moves
    if moves is None:
        return None
    boards = _boards_along(labels, goal.blank, moves, size.width)
    compared = [
        np.concatenate([boards[level : level + 1], compared])
        for level, compared in others
        if level < len(boards)
    ]
    shape = (-1, 1 + COMPARED, size.cells)
    return Example(size, boards, np.array(compared, dtype=np.uint16).reshape(shape))


def make_losses(examples: list[Example], every: int) -> list[Loss]:
    """Return the losses of some examples; stretches have a row every `every` moves."""
    losses: list[Loss] = []
    for size in sorted({example.size for example in examples}):
        of_size = [example for example in examples if example.size == size]
        losses.append(_stretches(size, of_size, every))
        compared = np.concatenate([example.compared for example in of_size])
        if len(compared):
            rows = _rows(size, compared.reshape(-1, size.cells))
            losses.append(RankingLoss(rows, compared.shape[1]))
    return losses


def _stretches(size: Size, examples: list[Example], every: int) -> StretchLoss:
    boards, lengths, groups = [], [], [0]
    stretch = _STRETCH // every
    for example in examples:
        left = np.arange(len(example.boards), 0, -every)
        boards.append(example.boards[::every])
        lengths.append(left)
        # A last group of less than half a stretch is merged with the one before it.
        cuts = [*range(stretch, left.size - stretch // 2, stretch), left.size]
        groups += [groups[-1] + cut for cut in np.diff([0, *cuts]).cumsum()]
    rows = _rows(size, np.concatenate(boards))
    return StretchLoss(rows, np.concatenate(lengths).astype(np.float64), np.array(groups))


def _rows(size: Size, labels: Labels) -> Rows:
    return Rows.of(size, labels, np.full(len(labels), size.cells - 1))


def _boards_along(labels: Labels, home: int, moves: Moves, width: int) -> Labels:
    """Return the board before each move."""
    steps = blank_steps(width)
    boards = np.empty((moves.size, labels.size), dtype=np.uint16)
    now, blank = labels.copy(), int(np.flatnonzero(labels == home)[0])
    for at, move in enumerate(moves):
        boards[at] = now
        source = blank + steps[move]
        now[blank], now[source] = now[source], home
        blank = source
    return boards
