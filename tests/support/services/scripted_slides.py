"""A scripted solver of slides; without a script it solves by breadth-first search."""

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
        self.slidings = deque()
        self.slid = 0

    def slides(self, board, goal, *, target, limits, found):
        self.slid += 1
        script = self.slidings.popleft() if self.slidings else fewest_slides
        if isinstance(script, Exception):
            raise script
        return script(board, goal, limits, found)


def slides_between(board, goal):
    """Return the fewest slides of a board, by breadth-first search."""
    return _depths(tuple(goal.cells.tolist()), goal.width)[tuple(board.cells.tolist())]


def fewest_slides(board, goal, limits, found):
    """Return a solution of fewest slides, and a threshold without a solution."""
    depths = _depths(tuple(goal.cells.tolist()), goal.width)
    tiles, letters = tuple(board.cells.tolist()), ""
    while count := depths[tiles]:
        letters, tiles = next(
            (letters + moves, after)
            for moves, after in _slides_from(tiles, goal.width)
            if depths[after] == count - 1
        )
    count = slides_between(board, goal)
    return SlidesResult(
        count,
        from_letters(letters),
        "scripted",
        Statistics(generated=100, seconds=0.1),
        thresholds=(SearchedThreshold(count - 1, 70, 0.1, count),) if count else (),
    )


def stop_by_time(board, goal, limits, found):
    """Return what was found in the available time."""
    assert limits.seconds is not None
    moves = from_letters(shortest_solution(board, goal))
    return SlidesResult(1, moves, "scripted", Statistics(generated=10), StopReason.TIME)


def report_bounds_only(board, goal, limits, found):
    """Report bounds, and then nothing: the search was ended."""
    moves = from_letters(shortest_solution(board, goal))
    found(2, moves, "scripted")
    found(3, moves, "scripted")
    return SlidesResult(1, None, "scripted", Statistics(), StopReason.CANCELLED)


def _slides_from(tiles, width):
    moved = []
    for letter in "UDLR":
        moves, after = letter, naive.apply_move(tiles, width, letter)
        while after is not None:
            moved.append((moves, after))
            moves, after = moves + letter, naive.apply_move(after, width, letter)
    return moved


@cache
def _depths(goal, width):
    depths, queue = {goal: 0}, deque([goal])
    while queue:
        tiles = queue.popleft()
        for _, after in _slides_from(tiles, width):
            if after not in depths:
                depths[after] = depths[tiles] + 1
                queue.append(after)
    return depths
