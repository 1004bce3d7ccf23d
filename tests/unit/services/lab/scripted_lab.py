"""A scripted runner for the lab's services, which records its calls."""

import time
from collections import deque
from collections.abc import Callable

from tests.support.services.scripted_solver import BOARD, GOAL, OTHER
from tilework.core.lab.methods import Method
from tilework.core.lab.result import RunResult, RunStatistics
from tilework.core.lab.run import run as solve_run
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.search.limits import Limits, StopReason

__all__ = ["BOARD", "GOAL", "OTHER", "solve_run"]

A_STAR, BREADTH_FIRST, GREEDY = (
    Method.from_text(text) for text in ("a-star:manhattan", "breadth-first", "greedy:manhattan")
)

Script = Callable[[Board, Board, Method, Limits], RunResult] | Exception


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
    """Follows scripts, one per call; without one, it runs the method."""

    def __init__(self):
        self.scripts: deque[Script] = deque()
        self.runs: list[tuple[Board, str]] = []
        self.limits: list[Limits] = []

    def run(self, start, goal, method, limits, window, exhaust):
        self.runs.append((start, method.text))
        self.limits.append(limits)
        if not self.scripts:
            return solve_run(start, goal, method, limits, window, exhaust=exhaust)
        script = self.scripts.popleft()
        if isinstance(script, Exception):
            raise script
        return script(start, goal, method, limits)
