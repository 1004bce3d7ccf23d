"""A large board that one move solves, and solutions that go back and forth before it."""

from contextlib import suppress

from tilework.core.errors import ReplayError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Statistics
from tilework.core.solver.result import SearchResult

# One move to the left solves this board.
BOARD = Board([*range(1, 41), 0, 41], 7, 6)
GOAL = blank_last(Size(7, 6))
DETOURS = 100
FIRST = 2 * DETOURS + 1


def make_moves(detours):
    return from_letters("RL" * detours + "L")


def find_first_solution(board, goal, limits):
    moves = orient(make_moves(DETOURS), board, goal)
    return SearchResult(1, moves, "scripted", Statistics(generated=9))


def orient(moves, board, goal):
    """Return the moves for the solver's canonical board, which may be mirrored."""
    step = find_step(board, goal)
    opposite = {"L": "R", "R": "L", "U": "D", "D": "U"}[step]
    return from_letters(to_letters(moves).translate(str.maketrans("LR", step + opposite)))


def find_step(start, end, count=1):
    """Return the moves in one direction between two boards, or nothing if there are none."""
    for letter in "LRUD" if start != end else "":
        with suppress(ReplayError):
            replay(start, from_letters(letter * count), end)
            return letter * count
    return ""
