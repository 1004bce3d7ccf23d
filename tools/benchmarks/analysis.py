"""Analyse games: what remains at every position of 200 moves on 4×4.

Usage: python -m tools.benchmarks.analysis

A game is played as people play, line by line: the constructive solver's solution of a random board,
and then the moves back to another random board's, until 200 are made. The hardest games are lost
ones: random moves from a random board, which stay far from the goal. Databases are what this user
has; one thread searches. The process has analysed another game before.
"""

from __future__ import annotations

import random
import time
from statistics import median

import numpy as np

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import Moves, blank_steps, legal_moves, reversed_moves
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.analysis.analyse import analyse
from tilework.core.solver.analysis.result import Analysis
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.solve import solve
from tilework.core.solver.target import Algorithm
from tools.benchmarks.report import Figure, record

GAMES = 20
MOVES = 200
BAR_S = 3.0
SIZE = Size(4, 4)
GOAL = blank_last(SIZE)


def game(seed: int) -> tuple[Board, Moves]:
    """A game of `MOVES` moves: from a random board home, which is one way of two."""
    first, second = (scramble(SIZE, GOAL, seed=2 * seed + which) for which in (1, 2))
    home = _played(first)
    away = reversed_moves(_played(second))
    moves = np.concatenate([home, away, reversed_moves(away)])
    return first, moves[:MOVES]


def lost_game(seed: int) -> tuple[Board, Moves]:
    """A game of `MOVES` random moves from a random board, none of which undoes the last."""
    board = scramble(SIZE, GOAL, seed=seed)
    chance = random.Random(seed)
    here, moves = board.blank, [-1]
    for _ in range(MOVES):
        legal = legal_moves(here, *SIZE)
        move = chance.choice([m for m in range(4) if legal >> m & 1 and m != moves[-1] ^ 1])
        moves.append(move)
        here += blank_steps(SIZE.width)[move]
    return board, np.array(moves[1:], dtype=np.uint8)


def _played(board: Board) -> Moves:
    found = solve(board, GOAL, algorithm=Algorithm.CONSTRUCTIVE).moves
    assert found is not None
    return found


def measured(board: Board, moves: Moves) -> tuple[float, Analysis]:
    """Analyse a game; return the seconds too."""
    began = time.perf_counter()
    found = analyse(board, GOAL, moves)
    return time.perf_counter() - began, found


def main() -> None:
    """Measure, print and record."""
    measured(*game(0))
    figures = []
    for kind, play, bar in (("line by line", game, BAR_S), ("random moves", lost_game, None)):
        seconds, nodes = [], []
        for seed in range(1, GAMES + 1):
            took, found = measured(*play(seed))
            assert found.exact
            seconds.append(took)
            nodes.append(found.statistics.generated)
            print(f"{kind} {seed}: {took:.2f} s, {nodes[-1]:,} nodes", flush=True)
        figures += [
            Figure(f"{kind}: median of {GAMES}", median(seconds), "s"),
            Figure(f"{kind}: worst of {GAMES}", max(seconds), "s", bar),
            Figure(f"{kind}: nodes, median", median(nodes) / 1e6, "M"),
        ]
    notes = f"{MOVES} moves on 4×4 each, searched with {engine_for(GOAL).name} by one thread."
    record("analysis", figures, notes)


if __name__ == "__main__":
    main()
