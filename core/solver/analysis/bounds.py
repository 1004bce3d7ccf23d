"""Bounds on the remaining moves at the positions of a game."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

import numpy as np

from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.solver.analysis.game import Game


class Bounds:
    """Lower and upper bounds by board, propagated between neighbours.

    A board that occurs several times is identified by its first position. ``neighbors`` maps board
    and move to the next board, for the moves of the game and their reverses.
    """

    def __init__(self, game: Game, lower: Sequence[int]) -> None:
        self._game = game
        self._first_position = [game.positions[key][0] for key in game.keys]
        self.boards = sorted(set(self._first_position))
        self._lower: dict[int, int] = {}
        self._upper: dict[int, int] = {}
        self._paths: dict[int, Moves] = {}
        for board, bound in zip(self._first_position, lower, strict=True):
            self._lower[board] = max(self._lower.get(board, 0), bound)
        self.neighbors: dict[int, dict[int, int]] = {board: {} for board in self.boards}
        for move, board, next_board in zip(
            game.moves.tolist(), self._first_position, self._first_position[1:], strict=False
        ):
            self.neighbors[board][move] = next_board
            self.neighbors[next_board][move ^ 1] = board
        self._propagate(self.boards)
        for _, position in game.visits(game.goal, NO_MOVES):
            self.add_solution(position, NO_MOVES)

    def lower(self, position: int) -> int:
        """Return the proven lower bound."""
        return self._lower[self._first_position[position]]

    def upper(self, position: int) -> int | None:
        return self._upper.get(self._first_position[position])

    def is_settled(self, position: int) -> bool:
        return self.lower(position) == self.upper(position)

    def add_lower_bound(self, board: int, lower: int) -> list[int]:
        """Add a proven lower bound; return the boards whose bounds changed."""
        if lower <= self._lower[board]:
            return []
        self._lower[board] = lower
        return self._propagate([board])

    def add_solution(self, start: int, path: Moves) -> list[int]:
        """Add a replayed solution of a board; return the boards whose bounds changed."""
        changed_boards: set[int] = set()
        for count, board in self._game.visits(self._game.board(start), path):
            length = len(path) - count
            if self._is_shorter(length, board):
                self._upper[board] = length
                self._paths[board] = path[count:]
                changed_boards.update(self._propagate([board]))
        return sorted(changed_boards)

    def path(self, position: int) -> Moves | None:
        """Return the shortest known solution of a position; its length is the upper bound."""
        board = self._first_position[position]
        if board not in self._upper:
            return None
        moves = []
        # Follow the upper bounds to the board whose solution they come from.
        while len(self._paths.get(board, ())) != self._upper[board] or board not in self._paths:
            move, board = next(
                (move, neighbor)
                for move, neighbor in self.neighbors[board].items()
                if self._upper[neighbor] == self._upper[board] - 1
            )
            moves.append(move)
        return np.concatenate([np.array(moves, dtype=np.uint8), self._paths[board]])

    def _is_shorter(self, length: int, board: int) -> bool:
        return board not in self._upper or length < self._upper[board]

    def _propagate(self, boards: Iterable[int]) -> list[int]:
        """Propagate bounds to neighbours; return the boards whose bounds changed."""
        queue = deque(boards)
        changed_boards = set(queue)
        while queue:
            board = queue.popleft()
            for neighbor in self.neighbors[board].values():
                has_changed = False
                if self._lower[neighbor] < self._lower[board] - 1:
                    self._lower[neighbor] = self._lower[board] - 1
                    has_changed = True
                if board in self._upper and self._is_shorter(self._upper[board] + 1, neighbor):
                    self._upper[neighbor] = self._upper[board] + 1
                    has_changed = True
                if has_changed:
                    changed_boards.add(neighbor)
                    queue.append(neighbor)
        return sorted(changed_boards)
