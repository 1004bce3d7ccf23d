"""Training examples: solutions found by beam searches, and other boards from the same levels."""

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
from tilework.core.solver.optimal.engine_choice import select_additive_engine
from tools.training.losses import Loss, RankingLoss, Rows, StretchLoss

COMPARED = 6
"""How many other boards of a level are compared with the solution's board."""

_MAX_MOVES = 400  # more than any of these boards needs
_STRETCH = 30
"""The number of moves in a stretch."""


@dataclass(frozen=True, slots=True)
class BoardSet:
    side: int
    boards: int
    width: int
    max_levels: int = 8
    uses_databases: bool = False

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
        In each group, a board of the solution, then others from its level.
    """

    size: Size
    boards: Labels
    compared: Labels


def make_example(
    board_set: BoardSet, potential: Potential | None, seed: int, number: int
) -> Example | None:
    """Solve one board of a set; None if the beam finds no solution."""
    random = np.random.default_rng([seed, board_set.side, number])
    size = board_set.size
    goal = blank_last(size)
    board = scramble(size, goal, int(random.integers(1 << 62)))
    labels = label_tiles(board, goal)
    samples: list[tuple[int, Labels]] = []
    if board_set.uses_databases:
        patterns = select_additive_engine(goal).patterns
        moves = beam_search(board, goal, board_set.width, patterns, upper_bound=_MAX_MOVES).moves
    elif potential is None:
        raise ValueError("without pattern databases, a board set needs a potential")
    else:
        beam = LearnedBeam(
            size, board_set.width, choose_quotas(size), potential, max_levels=board_set.max_levels
        )

        def sample_level(level: int) -> None:
            indices = random.integers(beam.count, size=COMPARED).tolist()
            samples.append((level, np.array([beam.board(index) for index in indices])))

        moves = beam.run(labels, goal.blank, None, Limits(), on_levels=sample_level).moves
    if moves is None:
        return None
    boards = _list_boards(labels, goal.blank, moves, size.width)
    compared = [
        np.concatenate([boards[level : level + 1], compared])
        for level, compared in samples
        if level < len(boards)
    ]
    shape = (-1, 1 + COMPARED, size.cells)
    return Example(size, boards, np.array(compared, dtype=np.uint16).reshape(shape))


def make_losses(examples: list[Example], every: int) -> list[Loss]:
    """Return the losses of the examples; stretches have one row every `every` moves."""
    losses: list[Loss] = []
    for size in sorted({example.size for example in examples}):
        selected = [example for example in examples if example.size == size]
        losses.append(_make_stretch_loss(size, selected, every))
        compared = np.concatenate([example.compared for example in selected])
        if len(compared):
            labels = compared.reshape(-1, size.cells)
            losses.append(RankingLoss(Rows(size, labels), len(labels), compared.shape[1]))
    return losses


def _make_stretch_loss(size: Size, examples: list[Example], every: int) -> StretchLoss:
    boards, lengths, groups = [], [], [0]
    stretch = _STRETCH // every
    for example in examples:
        moves_left = np.arange(len(example.boards), 0, -every)
        boards.append(example.boards[::every])
        lengths.append(moves_left)
        # A last group shorter than half a stretch is merged with the previous group.
        cuts = [*range(stretch, moves_left.size - stretch // 2, stretch), moves_left.size]
        groups += [groups[-1] + cut for cut in np.diff([0, *cuts]).cumsum()]
    rows = Rows(size, np.concatenate(boards))
    return StretchLoss(rows, np.concatenate(lengths).astype(np.float64), np.array(groups))


def _list_boards(labels: Labels, home: int, moves: Moves, width: int) -> Labels:
    """Return the board before each move."""
    steps = blank_steps(width)
    boards = np.empty((moves.size, labels.size), dtype=np.uint16)
    current, blank = labels.copy(), int(np.flatnonzero(labels == home)[0])
    for index, move in enumerate(moves):
        boards[index] = current
        source = blank + steps[move]
        current[blank], current[source] = current[source], home
        blank = source
    return boards
