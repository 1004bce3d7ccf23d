"""Solve big boards constructively: seconds, moves, and moves for each step of distance.

Usage: python -m benchmarks.constructive

Seconds are those of solve(), with its check of solvability and its replay; the constructive
kernel's own share is given beside. 8-puzzles are here too, as the small end of the scale.
"""

from __future__ import annotations

import statistics
import time

from benchmarks.report import Figure, record
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.kits import LARGE_BOARDS, compile_kit
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.solve import solve

SEED = 1
SMALL_BOARDS = 2000
BARS = {100: 1.0, 300: 30.0}


def small_boards() -> list[Figure]:
    goal = blank_last(Size(3, 3))
    boards = [scramble(goal.size, goal, seed=seed) for seed in range(SMALL_BOARDS)]
    micros = []
    for board in boards:
        began = time.perf_counter()
        solve(board, goal)
        micros.append((time.perf_counter() - began) * 1e6)
    return [
        Figure("random 3×3, median of solve()", statistics.median(micros), "µs", 2000),
        Figure("random 3×3, slowest of 2,000", max(micros), "µs"),
    ]


def large_board(side: int, bar: float) -> list[Figure]:
    goal = blank_last(Size(side, side))
    board = scramble(goal.size, goal, seed=SEED)
    began = time.perf_counter()
    construct(board, goal)
    kernel_seconds = time.perf_counter() - began
    began = time.perf_counter()
    result = solve(board, goal)
    seconds = time.perf_counter() - began
    moves = result.upper_bound or 0
    return [
        Figure(f"{side}×{side} constructively, solve()", seconds, "s", bar),
        Figure(f"{side}×{side}, without check and replay", kernel_seconds, "s"),
        Figure(f"{side}×{side}, moves", moves, "moves"),
        Figure(f"{side}×{side}, moves by Manhattan distance", moves / board.manhattan(goal), ""),
    ]


def main() -> None:
    compile_kit(LARGE_BOARDS)
    figures = small_boards()
    for side, bar in BARS.items():
        figures += large_board(side, bar)
    record("constructive", figures)


if __name__ == "__main__":
    main()
