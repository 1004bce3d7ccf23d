"""What is known of the remaining moves along a game: bounds, and the ways behind them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

import numpy as np

from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.solver.analysis.game import Game, board_key, keys_along


class Bounds:
    """Lower and upper bounds by board, kept as close as their neighbours allow.

    A board that the game met several times goes by its first position. ``neighbors`` has by board
    and move the board that the move leads to, of the moves that the game made there, or back.
    """

    def __init__(self, game: Game, lower: Sequence[int]) -> None:
        self._game = game
        self._of = [game.places[key][0] for key in game.keys]
        self.boards = sorted(set(self._of))
        self._lower: dict[int, int] = {}
        self._upper: dict[int, int] = {}
        self._ways: dict[int, Moves] = {}
        for board, bound in zip(self._of, lower, strict=True):
            self._lower[board] = max(self._lower.get(board, 0), bound)
        self.neighbors: dict[int, dict[int, int]] = {board: {} for board in self.boards}
        for move, before, after in zip(game.moves.tolist(), self._of, self._of[1:], strict=False):
            self.neighbors[before][move] = after
            self.neighbors[after][move ^ 1] = before
        self._spread(self.boards)
        if (met := game.places.get(board_key(game.goal))) is not None:
            self.found(met[0], NO_MOVES)

    def lower(self, position: int) -> int:
        """Return the least number of moves that is not disproved."""
        return self._lower[self._of[position]]

    def upper(self, position: int) -> int | None:
        return self._upper.get(self._of[position])

    def is_settled(self, position: int) -> bool:
        return self.lower(position) == self.upper(position)

    def prove(self, board: int, lower: int) -> list[int]:
        """Take a proved lower bound; return the boards whose bounds it changed."""
        if lower <= self._lower[board]:
            return []
        self._lower[board] = lower
        return self._spread([board])

    def found(self, board: int, way: Moves) -> list[int]:
        """Take a solution of a board, replayed; return the boards whose bounds it changed."""
        changed: set[int] = set()
        for made, key in enumerate(keys_along(self._game.board(board), way)):
            left = len(way) - made
            if (met := self._game.places.get(key)) is not None and self._is_less(left, met[0]):
                self._upper[met[0]] = left
                self._ways[met[0]] = way[made:]
                changed.update(self._spread([met[0]]))
        return sorted(changed)

    def way(self, position: int) -> Moves | None:
        """Return the shortest solution that is known of a position: as long as the upper bound."""
        board = self._of[position]
        if board not in self._upper:
            return None
        made = []
        # Each step that an upper bound was carried along leads towards where it came from.
        while len(self._ways.get(board, ())) != self._upper[board] or board not in self._ways:
            move, board = next(
                (move, near)
                for move, near in self.neighbors[board].items()
                if self._upper[near] == self._upper[board] - 1
            )
            made.append(move)
        return np.concatenate([np.array(made, dtype=np.uint8), self._ways[board]])

    def _is_less(self, length: int, board: int) -> bool:
        return board not in self._upper or length < self._upper[board]

    def _spread(self, boards: Iterable[int]) -> list[int]:
        """Carry bounds on to wherever they say something new; return where they changed."""
        heads = deque(boards)
        changed = set(heads)
        while heads:
            here = heads.popleft()
            for near in self.neighbors[here].values():
                better = False
                if self._lower[near] < self._lower[here] - 1:
                    self._lower[near] = self._lower[here] - 1
                    better = True
                if here in self._upper and self._is_less(self._upper[here] + 1, near):
                    self._upper[near] = self._upper[here] + 1
                    better = True
                if better:
                    changed.add(near)
                    heads.append(near)
        return sorted(changed)
