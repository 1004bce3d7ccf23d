"""A scripted runner for the lab's services, which records its calls."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict

from tests.support.services.scripted_solver import longer_solution, shortest_solution
from tilework.core.lab.methods import Method
from tilework.core.lab.result import RunResult, RunStatistics, Trace
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.search.limits import Limits, StopReason

BOARD = Board([4, 2, 3, 5, 0, 1], 3, 2)
OTHER = Board([4, 1, 2, 5, 0, 3], 3, 2)
GOAL = blank_last(Size(3, 2))
A_STAR, BREADTH_FIRST, GREEDY = (
    Method.from_text(text) for text in ("a-star:manhattan", "breadth-first", "greedy:manhattan")
)

Script = Callable[[Board, Board, Method, Limits], RunResult] | Exception


def solve_run(board, goal, method, limits):
    """Return a shortest solution if the method guarantees it, else one two moves longer."""
    moves = (
        from_letters(shortest_solution(board, goal))
        if method.guarantees_optimum
        else longer_solution(board, goal)
    )
    return RunResult(method, moves, RunStatistics(expanded=len(method.text), generated=10))


def reach_time_limit(board, goal, method, limits):
    message = Message(
        "time-limit-reached", "The limit of {limit:g} s was reached.", limit=limits.seconds
    )
    return RunResult(method, None, RunStatistics(expanded=7), StopReason.TIME, message)


def return_wrong_moves(board, goal, method, limits):
    return RunResult(method, from_letters("R"), RunStatistics())


def run_until_cancelled(board, goal, method, limits):
    while not limits.cancelled():
        time.sleep(0.001)
    return RunResult(method, None, RunStatistics(), StopReason.CANCELLED)


class ScriptedLab:
    """Follows scripts, one per call; without one, it solves the board."""

    def __init__(self):
        self.scripts: deque[Script] = deque()
        self.runs: list[tuple[Board, str]] = []
        self.limits: list[Limits] = []

    def run(self, start, goal, method, limits, window, exhaust):
        self.runs.append((start, method.text))
        self.limits.append(limits)
        script = self.scripts.popleft() if self.scripts else solve_run
        if isinstance(script, Exception):
            raise script
        result = script(start, goal, method, limits)
        if window is None:
            return result
        trace = Trace(**asdict(window), expanded=result.statistics.expanded, steps=(), path=(0, 1))
        return RunResult(method, result.moves, result.statistics, trace=trace)
