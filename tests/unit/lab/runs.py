"""3×3 boards with their distances, and runs of the lab with replayed solutions."""

from functools import lru_cache

from tests.support import naive
from tilework.core.lab.methods import ALGORITHMS, Method
from tilework.core.lab.result import TraceWindow
from tilework.core.lab.run import run
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits

GOAL = naive.solved_tiles(3, 3)
HARDEST = ((8, 6, 7, 2, 5, 4, 3, 0, 1), (6, 4, 7, 8, 5, 0, 3, 2, 1))
"""The two boards at the maximum distance of 31 moves."""

NO_LIMITS = Limits()
WHOLE = TraceWindow(2000, 0)


@lru_cache
def random_boards(count):
    """Return uniformly random solvable boards; half of them need at least 22 moves."""
    return tuple(_scramble(seed, None) for seed in range(count))


@lru_cache
def walked_boards(count):
    """Return boards at most 15 random moves from the goal."""
    return tuple(_scramble(seed, seed % 16) for seed in range(count))


def _scramble(seed, moves):
    size = Size(3, 3)
    return tuple(scramble(size, blank_last(size), seed, moves=moves).cells.tolist())


def optimal_length(tiles):
    """Return the optimal length, from a table of all boards."""
    return naive.distances(GOAL, 3)[tiles]


def run_method(tiles, method, goal=None, width=3, limits=NO_LIMITS, window=None):
    """Run a method such as ``a-star:manhattan``, and replay its solution."""
    goal = goal or naive.solved_tiles(width, len(tiles) // width)
    method = method if isinstance(method, Method) else Method.from_text(method)
    result = run(Board(tiles, width), Board(goal, width), method, limits, window)
    if result.moves is not None:
        assert naive.apply_moves(tiles, width, to_letters(result.moves)) == goal
    return result


def trace_steps(tiles, method, **options):
    return run_method(tiles, method, window=WHOLE, **options).trace.steps


def blank_moves(result):
    """Return the directions of the blank, which are opposite to those of the tiles."""
    return to_letters(result.moves).translate(str.maketrans("UDLR", "DURL"))


def check_length(tiles, method, length, **options):
    """Check the solution's length: optimal if guaranteed, never too short."""
    result = run_method(tiles, method, **options)
    if result.moves is None:
        assert not ALGORITHMS[method.algorithm].complete
        assert not result.optimal
        return result
    assert result.optimal is method.guarantees_optimum
    assert len(result.moves) >= length, (method.text, tiles)
    assert len(result.moves) == length or not result.optimal, (method.text, tiles)
    return result
