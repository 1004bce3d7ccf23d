"""Boards near a goal, for sizes too large to scramble."""

from __future__ import annotations

import numpy as np

from tests.support import naive


def walked(goal, moves, seed):
    """A board some random moves away from the goal."""
    random = np.random.default_rng(seed)
    board, before = goal, None
    for _ in range(moves):
        following = [after for after in board.neighbors() if after != before]
        board, before = following[random.integers(len(following))], board
    return board


def moves_along(board, path):
    """By depth along a path, the set of legal moves that do not undo the last one, bit m for m."""
    letters = "UDLR"
    tiles, legal, last = tuple(board.cells.tolist()), [], None
    for move in [*path, None]:
        legal.append(
            sum(
                1 << code
                for code, letter in enumerate(letters)
                if naive.moved(tiles, board.width, letter) is not None
                and (last is None or code != last ^ 1)
            )
        )
        if move is not None:
            tiles, last = naive.moved(tiles, board.width, letters[move]), move
    return legal
