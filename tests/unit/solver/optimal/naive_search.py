"""Depth-first search by recursion over tuples, without incremental state."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from tests.support import naive
from tilework.core.puzzle.board import Board

LETTERS = "UDLR"
OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}


class SearchOutcome(NamedTuple):
    generated: int
    next_threshold: int | None
    letters: str | None


def search(tiles, goal, width, threshold, estimate):
    """Search every path of at most ``threshold`` moves, in the order U, D, L, R."""
    count = 0
    above = []

    def search_below(board, letters):
        nonlocal count
        for letter in LETTERS:
            if letters and letter == OPPOSITE[letters[-1]]:
                continue
            neighbor = naive.apply_move(board, width, letter)
            if neighbor is None:
                continue
            count += 1
            f = len(letters) + 1 + estimate(neighbor)
            if f > threshold:
                above.append(f)
                continue
            if neighbor == goal:
                return letters + letter
            solution = search_below(neighbor, letters + letter)
            if solution is not None:
                return solution
        return None

    letters = search_below(tiles, "")
    return SearchOutcome(count, min(above, default=None), letters)


def count_conflict_moves(tiles, goal, width):
    """Return the moves that conflicts add: twice the fewest tiles that must leave each line."""
    height = len(tiles) // width
    rows = [range(row * width, (row + 1) * width) for row in range(height)]
    columns = [range(column, len(tiles), width) for column in range(width)]
    total = 0
    for line in rows + columns:
        goals = [goal.index(tiles[cell]) for cell in line if tiles[cell]]
        goals = [cell for cell in goals if cell in line]
        for count in range(len(goals), -1, -1):
            if any(list(order) == sorted(order) for order in combinations(goals, count)):
                total += 2 * (len(goals) - count)
                break
    return total


def make_line_estimate(goal, width):
    return lambda tiles: (
        naive.manhattan(tiles, goal, width) + count_conflict_moves(tiles, goal, width)
    )


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
