"""Boards near a goal, for sizes too large to scramble."""

import numpy as np

from tests.support import naive


def random_walk(goal, moves, seed):
    """Return a board some random moves away from the goal."""
    random = np.random.default_rng(seed)
    board, before = goal, None
    for _ in range(moves):
        following = [after for after in board.neighbors() if after != before]
        board, before = following[random.integers(len(following))], board
    return board


def moves_along(board, path):
    """Return by depth the legal moves that do not undo the last one; bit m is move m."""
    tiles, legal = tuple(board.cells.tolist()), []
    for move, last in zip([*path, None], [None, *path], strict=True):
        boards = [naive.apply_move(tiles, board.width, letter) for letter in "UDLR"]
        back = None if last is None else last ^ 1
        legal.append(sum(1 << code for code in range(4) if boards[code] and code != back))
        tiles = boards[move] if move is not None else tiles
    return legal
