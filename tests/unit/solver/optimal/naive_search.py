"""Depth-first search by recursion over tuples, without incremental state."""

from itertools import combinations
from typing import NamedTuple

from tests.support import naive

LETTERS = "UDLR"
OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}


class Found(NamedTuple):
    generated: int
    next_threshold: int | None
    letters: str | None


def search(tiles, goal, width, threshold, estimate):
    """Search every path of at most ``threshold`` moves, in the order U, D, L, R."""
    count = 0
    over = []

    def below(board, letters):
        nonlocal count
        for letter in LETTERS:
            if letters and letter == OPPOSITE[letters[-1]]:
                continue
            after = naive.apply_move(board, width, letter)
            if after is None:
                continue
            count += 1
            f = len(letters) + 1 + estimate(after)
            if f > threshold:
                over.append(f)
                continue
            if after == goal:
                return letters + letter
            solution = below(after, letters + letter)
            if solution is not None:
                return solution
        return None

    letters = below(tiles, "")
    return Found(count, min(over, default=None), letters)


def conflicts(tiles, goal, width):
    """Return what linear conflicts add: twice the fewest tiles that must leave each line."""
    height = len(tiles) // width
    rows = [range(row * width, (row + 1) * width) for row in range(height)]
    columns = [range(column, len(tiles), width) for column in range(width)]
    total = 0
    for line in rows + columns:
        home = [goal.index(tiles[cell]) for cell in line if tiles[cell]]
        home = [cell for cell in home if cell in line]
        for aside in range(len(home) + 1):
            if any(list(order) == sorted(order) for order in combinations(home, len(home) - aside)):
                total += 2 * aside
                break
    return total


def lines_estimate(goal, width):
    return lambda tiles: naive.manhattan(tiles, goal, width) + conflicts(tiles, goal, width)
