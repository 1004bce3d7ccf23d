"""A scripted solver for the fewest slides; without a script it uses breadth-first search."""

from collections import deque
from functools import cache

from tests.support import naive
from tests.support.services.scripted_solver import ScriptedSolver, shortest_solution
from tilework.core.puzzle.moves import from_letters
from tilework.core.search.limits import Statistics, StopReason
from tilework.core.solver.result import SearchedThreshold, SlidesResult


class ScriptedSlidesSolver(ScriptedSolver):
    def __init__(self):
        super().__init__()
        self.scripts = deque()
        self.calls = 0

    def slides(self, board, goal, *, target, limits, on_solution):
        self.calls += 1
        script = self.scripts.popleft() if self.scripts else solve_in_fewest_slides
        if isinstance(script, Exception):
            raise script
        return script(board, goal, limits, on_solution)


def min_slides(board, goal):
    """Return the fewest slides of a board, by breadth-first search."""
    return _depths(tuple(goal.cells.tolist()), goal.width)[tuple(board.cells.tolist())]


def solve_in_fewest_slides(board, goal, limits, on_solution):
    """Return a solution with the fewest slides, and a threshold without a solution."""
    depths = _depths(tuple(goal.cells.tolist()), goal.width)
    tiles, letters = tuple(board.cells.tolist()), ""
    while count := depths[tiles]:
        letters, tiles = next(
            (letters + moves, neighbor)
            for moves, neighbor in _slides_from(tiles, goal.width)
            if depths[neighbor] == count - 1
        )
    count = min_slides(board, goal)
    return SlidesResult(
        count,
        from_letters(letters),
        "scripted",
        Statistics(generated=100, seconds=0.1),
        thresholds=(SearchedThreshold(count - 1, 70, 0.1, count),) if count else (),
    )


def stop_at_time_limit(board, goal, limits, on_solution):
    """Return the solution found within the time limit."""
    assert limits.seconds is not None
    moves = from_letters(shortest_solution(board, goal))
    return SlidesResult(1, moves, "scripted", Statistics(generated=10), StopReason.TIME)


def report_bounds_only(board, goal, limits, on_solution):
    """Report bounds, then return no solution because the search was cancelled."""
    moves = from_letters(shortest_solution(board, goal))
    on_solution(SlidesResult(2, moves, "scripted"))
    on_solution(SlidesResult(3, moves, "scripted"))
    return SlidesResult(1, None, "scripted", Statistics(), StopReason.CANCELLED)


def _slides_from(tiles, width):
    neighbors = []
    for letter in "UDLR":
        moves, neighbor = letter, naive.apply_move(tiles, width, letter)
        while neighbor is not None:
            neighbors.append((moves, neighbor))
            moves, neighbor = moves + letter, naive.apply_move(neighbor, width, letter)
    return neighbors


@cache
def _depths(goal, width):
    depths, queue = {goal: 0}, deque([goal])
    while queue:
        tiles = queue.popleft()
        for _, neighbor in _slides_from(tiles, width):
            if neighbor not in depths:
                depths[neighbor] = depths[tiles] + 1
                queue.append(neighbor)
    return depths
