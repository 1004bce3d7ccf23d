"""The graph of all shortest solutions of a board."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import OptionError
from tilework.core.formats.solutions import SolutionGraph
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import LETTERS, Moves

MAX_DRAWN = 2_000  # number of boards of the largest graph that is drawn
_MAX_COUNTED = 1 << 61  # above this, the sum of four counts could overflow
_IMPOSSIBLE = 1 << 20  # slides of an illegal move


class ShortestPaths:
    """The boards on shortest solutions in layers by depth, and the moves between them.

    By depth, board and move, ``next_indices`` is the index of the next board in its layer, or -1.
    """

    def __init__(
        self,
        board: Board,
        goal: Board,
        layers: list[NDArray[np.int64]],
        next_indices: list[NDArray[np.int32]],
    ) -> None:
        self.board = board
        self.goal = goal
        self.layers = layers
        self.next_indices = next_indices

    @property
    def length(self) -> int:
        return len(self.next_indices)

    @property
    def boards(self) -> int:
        return sum(map(len, self.layers))

    @property
    def moves(self) -> int:
        return sum(int((next_indices >= 0).sum()) for next_indices in self.next_indices)

    def count(self) -> int:
        return int(self.count_paths()[0][0])

    def count_paths(self) -> list[NDArray[np.int64] | NDArray[np.object_]]:
        """Return the number of shortest paths to the goal by depth and board."""
        paths: NDArray[np.int64] | NDArray[np.object_] = np.ones(1, dtype=np.int64)
        counts = [paths]
        for next_indices in reversed(self.next_indices):
            if paths.dtype != object and paths.max() > _MAX_COUNTED:
                paths = paths.astype(object)
            paths = np.where(next_indices >= 0, paths[next_indices], 0).sum(axis=1)
            counts.append(paths)
        return counts[::-1]

    def solutions(self) -> Iterator[Moves]:
        """Yield the shortest solutions, in the order of their move codes."""
        path = np.zeros(self.length, dtype=np.uint8)
        untried = [self._list_moves(0, 0)]
        index = [0]
        while untried:
            depth = len(untried) - 1
            if depth == self.length:
                yield path.copy()
            elif untried[-1]:
                move = untried[-1].pop(0)
                path[depth] = move
                index.append(int(self.next_indices[depth][index[-1], move]))
                untried.append(self._list_moves(depth + 1, index[-1]))
                continue
            untried.pop()
            index.pop()

    def fewest_slides(self) -> Moves:
        """Return the shortest solution with the fewest slides."""
        # By depth, board and move: the fewest slides to the goal that start with this move.
        slides: list[NDArray[np.int64]] = []
        # By board and move: the fewest further slides after this move.
        further_slides = np.zeros((1, 4), dtype=np.int64)
        for next_indices in reversed(self.next_indices):
            slides.append(
                np.where(
                    next_indices >= 0, 1 + further_slides[next_indices, np.arange(4)], _IMPOSSIBLE
                )
            )
            further_slides = (slides[-1][:, np.newaxis] - np.eye(4, dtype=np.int64)).min(axis=2)
        path = np.zeros(self.length, dtype=np.uint8)
        index, move = 0, -1
        for depth, layer_slides in enumerate(reversed(slides)):
            move = int((layer_slides[index] - (np.arange(4) == move)).argmin())
            path[depth] = move
            index = int(self.next_indices[depth][index, move])
        return path

    def graph(self) -> SolutionGraph:
        """Return the graph for drawing."""
        if self.boards > MAX_DRAWN:
            raise OptionError(
                "ways-graph",
                "the shortest solutions pass through {boards} boards; graphs of up to {max} "
                "can be drawn",
                boards=self.boards,
                max=MAX_DRAWN,
            )
        layer_starts = np.cumsum([0, *map(len, self.layers)]).tolist()
        moves = [
            (start + index, next_start + int(next_indices[index, move]), LETTERS[move])
            for start, next_start, next_indices in zip(
                layer_starts, layer_starts[1:], self.next_indices, strict=False
            )
            for index, move in np.argwhere(next_indices >= 0).tolist()
        ]
        return SolutionGraph(
            boards=[self._unpack(int(packed)) for layer in self.layers for packed in layer],
            depths=[depth for depth, layer in enumerate(self.layers) for _ in layer],
            path_counts=[int(count) for counts in self.count_paths() for count in counts],
            moves=moves,
        )

    def _unpack(self, packed: int) -> Board:
        size = self.goal.size
        cells = [packed >> 4 * cell & 15 for cell in range(size.cells)]
        return Board(cells, *size)

    def _list_moves(self, depth: int, index: int) -> list[int]:
        if depth == self.length:
            return []
        moves: list[int] = np.flatnonzero(self.next_indices[depth][index] >= 0).tolist()
        return moves
