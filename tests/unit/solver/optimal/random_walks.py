"""Boards near a goal, for sizes too large to scramble."""

import numpy as np

from tests.support import naive
from tilework.core.puzzle.board import Board

MIDDLE = Board([*range(1, 13), 0, *range(13, 25)])
"""The 24-puzzle's goal with the blank in the middle."""


def random_walk(goal, moves, seed):
    """Return a board some random moves away from the goal."""
    random = np.random.default_rng(seed)
    board, previous = goal, None
    for _ in range(moves):
        neighbors = [neighbor for neighbor in board.neighbors() if neighbor != previous]
        board, previous = neighbors[random.integers(len(neighbors))], board
    return board


def legal_moves_along(board, path):
    """Return a bit mask at each depth of the legal moves that do not undo the last one."""
    tiles, legal = tuple(board.cells.tolist()), []
    for move, last in zip([*path, None], [None, *path], strict=True):
        boards = [naive.apply_move(tiles, board.width, letter) for letter in "UDLR"]
        reverse = None if last is None else last ^ 1
        legal.append(sum(1 << code for code in range(4) if boards[code] and code != reverse))
        tiles = boards[move] if move is not None else tiles
    return legal
