"""Depth-first search by recursion over tuples, without incremental state."""

from itertools import combinations
from typing import NamedTuple

from tests.support import naive

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
