"""Boards near a goal, for sizes too large to scramble."""

from __future__ import annotations

import numpy as np


def walked(goal, moves, seed):
    """A board some random moves away from the goal."""
    random = np.random.default_rng(seed)
    board, before = goal, None
    for _ in range(moves):
        following = [after for after in board.neighbors() if after != before]
        board, before = following[random.integers(len(following))], board
    return board
