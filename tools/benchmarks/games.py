"""The duration of game analyses, and the time that players wait for hints.

``analyses``: games of 200 moves on 4×4 boards, in this process. Some games are played line by line:
the constructive solution of a random board, then the reverse of another one. The hardest games
consist of random moves from a random board and stay far from the goal. ``hints``: milliseconds from
POST to the response. Some players follow the hints from a random board. Others move at random, so
that almost no board has been requested before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from typing import Any

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, blank_steps, from_letters, legal_moves, reverse_moves
from tilework.core.puzzle.replay import apply
from tilework.core.solver.analysis.analyse import analyse
from tilework.core.solver.solve import solve
from tilework.core.solver.target import Algorithm
from tools.benchmarks.harness.boards import random_board, square_goal
from tools.benchmarks.harness.client import Client
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.system import UNLIMITED, running_system, settle
from tools.benchmarks.harness.timing import time_call

MOVES = 200
SEED = 20260123
HINT_BARS_MS = {3: 100, 4: 100, 5: 2_000}
FOLLOWED_GAMES = {3: 20, 4: 10, 5: 4}
RANDOM_HINTS = {3: 200, 4: 200, 5: 40}
RANDOM_MOVES = 20


def make_line_by_line_game(seed: int) -> tuple[Board, Moves]:
    """Return a game that solves a random board line by line and then leaves the goal again."""
    boards = [random_board(4, 2 * seed + offset) for offset in (1, 2)]
    goal, algorithm = square_goal(4), Algorithm.CONSTRUCTIVE
    first, second = (solve(board, goal, algorithm=algorithm).moves for board in boards)
    assert first is not None
    assert second is not None
    return boards[0], np.concatenate([first[:], reverse_moves(second[:]), second[:]])[:MOVES]


def make_random_game(seed: int) -> tuple[Board, Moves]:
    """Return a game of random moves from a random board, without reversals."""
    board, rng = random_board(4, seed), Random(seed)
    blank, moves = board.blank, [-1]
    for _ in range(MOVES):
        legal = legal_moves(blank, *board.size)
        moves.append(rng.choice([m for m in range(4) if legal >> m & 1 and m != moves[-1] ^ 1]))
        blank += blank_steps(board.width)[moves[-1]]
    return board, np.array(moves[1:], dtype=np.uint8)


def measure_analyses(games: int) -> Iterator[Figure]:
    board, moves = make_line_by_line_game(0)
    analyse(board, square_goal(4), moves)
    kinds: tuple[tuple[str, Callable[[int], tuple[Board, Moves]], float | None], ...]
    kinds = (
        ("line by line", make_line_by_line_game, 3),
        ("random moves", make_random_game, None),
    )
    for kind, make_game, bar in kinds:
        seconds, nodes = [], []
        for seed in range(1, games + 1):
            board, moves = make_game(seed)
            analysis, duration_s = time_call(lambda: analyse(board, square_goal(4), moves))  # noqa: B023
            assert analysis.exact
            seconds.append(duration_s)
            nodes.append(analysis.statistics.generated)
        yield Figure(f"{kind}: median of {games}", median(seconds), "s")
        yield Figure(f"{kind}: worst of {games}", max(seconds), "s", bar)
        yield Figure(f"{kind}: nodes, median", median(nodes) / 1e6, "M")


class Player:
    """Requests hints, and records how many milliseconds each takes."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.times_ms: list[float] = []

    def request_hint(self, board: Board) -> dict[str, Any]:
        request = {"board": board.cells.tolist()}
        hint: dict[str, Any]
        hint, seconds = time_call(lambda: self._client.post("/api/v1/hints", request))
        self.times_ms.append(1_000 * seconds)
        if hint["upper_bound"] is None:
            raise SystemExit(f"no solution of {board!r} was known in time")
        return hint

    def follow(self, board: Board) -> None:
        """Follow the hints to the goal; the solution must become shorter with each move."""
        remaining = np.inf
        while board != square_goal(board.width):
            hint = self.request_hint(board)
            if hint["upper_bound"] >= remaining:
                raise SystemExit(f"a hint did not lead closer to the goal: {board!r}")
            remaining = hint["upper_bound"]
            board = apply(board, from_letters(hint["moves"][:1]))

    def move_randomly(self, board: Board, rng: Random) -> None:
        for _ in range(RANDOM_MOVES):
            self.request_hint(board)
            board = rng.choice(list(board.neighbors()))


def measure_hints(share: float) -> Iterator[Figure]:
    with running_system(**UNLIMITED, pdb_build=False) as system:
        settle(system, *HINT_BARS_MS)
        seeds = Random(SEED)
        for side, bar in HINT_BARS_MS.items():
            follower, random_player = Player(system.client()), Player(system.client())
            for _ in range(max(1, round(share * FOLLOWED_GAMES[side]))):
                follower.follow(random_board(side, seeds.getrandbits(32)))
            while len(random_player.times_ms) < share * RANDOM_HINTS[side]:
                random_player.move_randomly(random_board(side, seeds.getrandbits(32)), seeds)
            for label, player in (("following hints", follower), ("random moves", random_player)):
                name = f"{side}×{side}, {label}, {len(player.times_ms)} hints"
                p50, p95 = np.percentile(player.times_ms, (50, 95)).tolist()
                yield Figure(f"{name}, median", p50, "ms")
                yield Figure(f"{name}, 95th percentile", p95, "ms", bar)


if __name__ == "__main__":
    run(
        "games",
        __doc__,
        {
            "analyses": lambda o: measure_analyses(o.games),
            "hints": lambda o: measure_hints(o.share),
        },
        f"Analyses: {MOVES} moves on 4×4 each, one thread, the user's databases. Hints: "
        "client and the whole system share the machine; only the databases that are built quickly.",
        games=20,
        share=1.0,
    )
