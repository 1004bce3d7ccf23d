"""All shortest solutions of a board, as the boards that lie on them and the moves between these."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import OptionError
from tilework.core.formats.solution_graph import SolutionGraph
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import LETTERS, Moves

MOST_DRAWN = 2_000  # boards of the largest graph that is drawn; nobody could read a larger one
_MOST_COUNTED = 1 << 61  # beyond, four of them might not fit a word
_FAR = 1 << 20  # slides of a move that cannot be made


class ShortestWays:
    """A directed acyclic graph in layers, of the moves of shortest solutions only."""

    def __init__(
        self,
        board: Board,
        goal: Board,
        layers: list[NDArray[np.int64]],
        onward: list[NDArray[np.int32]],
    ) -> None:
        self.board = board
        self.goal = goal
        self.layers = layers
        self.onward = onward

    @property
    def length(self) -> int:
        return len(self.onward)

    @property
    def boards(self) -> int:
        return sum(map(len, self.layers))

    @property
    def moves(self) -> int:
        return sum(int((onward >= 0).sum()) for onward in self.onward)

    def count(self) -> int:
        return int(self.counts()[0][0])

    def counts(self) -> list[NDArray[np.int64] | NDArray[np.object_]]:
        """Return by depth and board how many shortest ways lead from there to the goal."""
        ways: NDArray[np.int64] | NDArray[np.object_] = np.ones(1, dtype=np.int64)
        counts = [ways]
        for onward in reversed(self.onward):
            if ways.dtype != object and ways.max() > _MOST_COUNTED:
                ways = ways.astype(object)
            ways = np.where(onward >= 0, ways[onward], 0).sum(axis=1)
            counts.append(ways)
        return counts[::-1]

    def solutions(self) -> Iterator[Moves]:
        """Yield the shortest solutions, each a uint8 array, in the order of their moves' codes."""
        made = np.zeros(self.length, dtype=np.uint8)
        untried = [self._moves_from(0, 0)]
        at = [0]
        while untried:
            depth = len(untried) - 1
            if depth == self.length:
                yield made.copy()
            elif untried[-1]:
                move = untried[-1].pop(0)
                made[depth] = move
                at.append(int(self.onward[depth][at[-1], move]))
                untried.append(self._moves_from(depth + 1, at[-1]))
                continue
            untried.pop()
            at.pop()

    def fewest_slides(self) -> Moves:
        """Return the shortest solution that changes its direction least often."""
        # By depth, board and move: slides to the goal that begin with this move.
        slides: list[NDArray[np.int64]] = []
        # By board and move: slides that are still to come after this move.
        after = np.zeros((1, 4), dtype=np.int64)
        for onward in reversed(self.onward):
            slides.append(np.where(onward >= 0, 1 + after[onward, np.arange(4)], _FAR))
            after = (slides[-1][:, np.newaxis] - np.eye(4, dtype=np.int64)).min(axis=2)
        made = np.zeros(self.length, dtype=np.uint8)
        at, last = 0, -1
        for depth, here in enumerate(reversed(slides)):
            last = int((here[at] - (np.arange(4) == last)).argmin())
            made[depth] = last
            at = int(self.onward[depth][at, last])
        return made

    def graph(self) -> SolutionGraph:
        """Return what draws the ways."""
        if self.boards > MOST_DRAWN:
            raise OptionError(
                "ways-graph",
                "the shortest solutions pass {boards} boards; up to {most} are drawn",
                boards=self.boards,
                most=MOST_DRAWN,
            )
        firsts = np.cumsum([0, *map(len, self.layers)]).tolist()
        moves = [
            (first + place, after + int(onward[place, move]), LETTERS[move])
            for first, after, onward in zip(firsts, firsts[1:], self.onward, strict=False)
            for place, move in np.argwhere(onward >= 0).tolist()
        ]
        return SolutionGraph(
            boards=[self._unpacked(int(packed)) for layer in self.layers for packed in layer],
            depths=[depth for depth, layer in enumerate(self.layers) for _ in layer],
            ways=[int(count) for counts in self.counts() for count in counts],
            moves=moves,
        )

    def _unpacked(self, packed: int) -> Board:
        size = self.goal.size
        cells = [packed >> 4 * cell & 15 for cell in range(size.cells)]
        return Board(cells, *size)

    def _moves_from(self, depth: int, at: int) -> list[int]:
        if depth == self.length:
            return []
        moves: list[int] = np.flatnonzero(self.onward[depth][at] >= 0).tolist()
        return moves
