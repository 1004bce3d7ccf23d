"""How long the analysis of a game takes, and how long a player waits for hints.

``analyses``: 200 moves on 4×4, in this process. Some games are played line by line: the
constructive solution of a random board, then the reverse of another one. The hardest games are
random moves from a random board, which stay far from the goal. ``hints``: milliseconds from POST to
the answer. Some players follow the hints from a random board; others move at random, so that hardly
any board was requested before.
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
FOLLOWED = {3: 20, 4: 10, 5: 4}
RANDOM_HINTS = {3: 200, 4: 200, 5: 40}
RANDOM_MOVES = 20


def line_by_line_game(seed: int) -> tuple[Board, Moves]:
    """Return a game that solves a random board line by line, and leaves the goal again."""
    first, second = (random_board(4, 2 * seed + which) for which in (1, 2))
    goal, line_by_line = square_goal(4), Algorithm.CONSTRUCTIVE
    home, away = (solve(board, goal, algorithm=line_by_line).moves for board in (first, second))
    assert home is not None
    assert away is not None
    return first, np.concatenate([home, reverse_moves(away), away])[:MOVES]


def random_game(seed: int) -> tuple[Board, Moves]:
    """Return a game of random moves from a random board, without reversals."""
    board, choose = random_board(4, seed), Random(seed)
    blank, moves = board.blank, [-1]
    for _ in range(MOVES):
        legal = legal_moves(blank, *board.size)
        moves.append(choose.choice([m for m in range(4) if legal >> m & 1 and m != moves[-1] ^ 1]))
        blank += blank_steps(board.width)[moves[-1]]
    return board, np.array(moves[1:], dtype=np.uint8)


def analyses(games: int) -> Iterator[Figure]:
    analyse(line_by_line_game(0)[0], square_goal(4), line_by_line_game(0)[1])
    kinds: tuple[tuple[str, Callable[[int], tuple[Board, Moves]], float | None], ...]
    kinds = (("line by line", line_by_line_game, 3), ("random moves", random_game, None))
    for kind, play, bar in kinds:
        seconds, nodes = [], []
        for seed in range(1, games + 1):
            board, moves = play(seed)
            found, took = time_call(lambda: analyse(board, square_goal(4), moves))  # noqa: B023
            assert found.exact
            seconds.append(took)
            nodes.append(found.statistics.generated)
        yield Figure(f"{kind}: median of {games}", median(seconds), "s")
        yield Figure(f"{kind}: worst of {games}", max(seconds), "s", bar)
        yield Figure(f"{kind}: nodes, median", median(nodes) / 1e6, "M")


class Player:
    """Requests hints, and records the milliseconds of each."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.times: list[float] = []

    def hint(self, board: Board) -> dict[str, Any]:
        request = {"board": board.cells.tolist()}
        hint, seconds = time_call(lambda: self._client.post("/api/v1/hints", request))
        self.times.append(1_000 * seconds)
        if hint["upper_bound"] is None:
            raise SystemExit(f"no solution of {board!r} was known in time")
        found: dict[str, Any] = hint
        return found

    def follow(self, board: Board) -> None:
        """Follow the hints to the goal; the solution must become shorter with each move."""
        left = np.inf
        while board != square_goal(board.width):
            hint = self.hint(board)
            if hint["upper_bound"] >= left:
                raise SystemExit(f"a hint did not lead nearer to the goal: {board!r}")
            left = hint["upper_bound"]
            board = apply(board, from_letters(hint["moves"][:1]))

    def move_randomly(self, board: Board, choose: Random) -> None:
        for _ in range(RANDOM_MOVES):
            self.hint(board)
            board = choose.choice(list(board.neighbors()))


def hints(share: float) -> Iterator[Figure]:
    with running_system(**UNLIMITED, pdb_build=False) as system:
        settle(system, *HINT_BARS_MS)
        seeds = Random(SEED)
        for side, bar in HINT_BARS_MS.items():
            following, random = Player(system.client()), Player(system.client())
            for _ in range(max(1, round(share * FOLLOWED[side]))):
                following.follow(random_board(side, seeds.getrandbits(32)))
            while len(random.times) < share * RANDOM_HINTS[side]:
                random.move_randomly(random_board(side, seeds.getrandbits(32)), seeds)
            for label, player in (("following hints", following), ("random moves", random)):
                name = f"{side}×{side}, {label}, {len(player.times)} hints"
                p50, p95 = np.percentile(player.times, (50, 95)).tolist()
                yield Figure(f"{name}, median", p50, "ms")
                yield Figure(f"{name}, 95th percentile", p95, "ms", bar)


if __name__ == "__main__":
    run(
        "games",
        __doc__,
        {"analyses": lambda o: analyses(o.games), "hints": lambda o: hints(o.share)},
        f"Analyses: {MOVES} moves on 4×4 each, one thread, the user's databases. Hints: "
        "client and the whole system share the machine; only the databases that are built quickly.",
        games=20,
        share=1.0,
    )
