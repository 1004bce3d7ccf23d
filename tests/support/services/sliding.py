"""A solver that slides as it is told to; else slowly and truly."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cache

from tests.support import naive
from tests.support.services.staging import ScriptedSolver, best
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.search.limits import Limits, StopReason
from tilework.core.search.statistics import Statistics
from tilework.core.solver.result import FoundListener
from tilework.core.solver.slides.result import SearchedThreshold, SlidesResult
from tilework.core.solver.target import Target

Tiles = tuple[int, ...]
Sliding = Callable[[Board, Board, Limits, FoundListener], SlidesResult] | Exception


class SlidingSolver(ScriptedSolver):
    def __init__(self) -> None:
        super().__init__()
        self.slidings: deque[Sliding] = deque()
        self.slid = 0

    def slides(
        self, board: Board, goal: Board, *, target: Target, limits: Limits, found: FoundListener
    ) -> SlidesResult:
        self.slid += 1
        script = self.slidings.popleft() if self.slidings else fewest_slides
        if isinstance(script, Exception):
            raise script
        return script(board, goal, limits, found)


def slides_between(board: Board, goal: Board) -> int:
    """Fewest slides of a board, by breadth-first search."""
    return _depths(tuple(goal.cells.tolist()), goal.width)[tuple(board.cells.tolist())]


def fewest_slides(board: Board, goal: Board, limits: Limits, found: FoundListener) -> SlidesResult:
    """A solution of fewest slides, and a threshold under which there was none."""
    depths = _depths(tuple(goal.cells.tolist()), goal.width)
    tiles, letters = tuple(board.cells.tolist()), ""
    while count := depths[tiles]:
        letters, tiles = next(
            (letters + way, after)
            for way, after in _slides_from(tiles, goal.width)
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


def too_slow(board: Board, goal: Board, limits: Limits, found: FoundListener) -> SlidesResult:
    """What was met in the time that there was."""
    assert limits.seconds is not None
    moves = from_letters(best(board, goal))
    return SlidesResult(1, moves, "scripted", Statistics(generated=10), StopReason.TIME)


def noted_only(board: Board, goal: Board, limits: Limits, found: FoundListener) -> SlidesResult:
    """Bounds on the way, and then nothing any more: it was ended."""
    moves = from_letters(best(board, goal))
    found(2, moves, "scripted")
    found(3, moves, "scripted")
    return SlidesResult(1, None, "scripted", Statistics(), StopReason.CANCELLED)


def _slides_from(tiles: Tiles, width: int) -> list[tuple[str, Tiles]]:
    found = []
    for letter in "UDLR":
        way, after = letter, naive.moved(tiles, width, letter)
        while after is not None:
            found.append((way, after))
            way, after = way + letter, naive.moved(after, width, letter)
    return found


@cache
def _depths(goal: Tiles, width: int) -> dict[Tiles, int]:
    depths, queue = {goal: 0}, deque([goal])
    while queue:
        tiles = queue.popleft()
        for _, after in _slides_from(tiles, width):
            if after not in depths:
                depths[after] = depths[tiles] + 1
                queue.append(after)
    return depths
