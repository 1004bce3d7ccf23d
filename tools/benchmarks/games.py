"""Games: what an analysis of one takes, and how soon a hint comes at every move of one.

Usage: python -m tools.benchmarks.games [--parts analyses hints] [--games 20] [--share 1.0]

``analyses``: of 200 moves on 4×4, in this process. A game is played as people play, line by line:
the constructive solver's solution of a random board, then the moves back to another one. The
hardest games are lost ones: random moves from a random board, which stay far from the goal.
``hints``: milliseconds from POST to the answer. Some players move as they are told, all the way
from a random board; others move at random and ask after each move, so that hardly any board was
asked for before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from typing import Any

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, blank_steps, from_letters, legal_moves, reversed_moves
from tilework.core.puzzle.replay import apply
from tilework.core.solver.analysis.analyse import analyse
from tilework.core.solver.solve import solve
from tilework.core.solver.target import Algorithm
from tools.benchmarks.harness.boards import goal_of, random_board
from tools.benchmarks.harness.client import Client
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.system import UNLIMITED, running_system, settle
from tools.benchmarks.harness.timing import timed

MOVES = 200
SEED = 20260123
HINT_BARS_MS = {3: 100, 4: 100, 5: 2_000}
FOLLOWED = {3: 20, 4: 10, 5: 4}
STRAYED = {3: 200, 4: 200, 5: 40}
STRAY_MOVES = 20


def played(seed: int) -> tuple[Board, Moves]:
    """Return a game from a random board home, which is one way of two, and away again."""
    first, second = (random_board(4, 2 * seed + which) for which in (1, 2))
    goal, line_by_line = goal_of(4), Algorithm.CONSTRUCTIVE
    home, away = (solve(one, goal, algorithm=line_by_line).moves for one in (first, second))
    assert home is not None
    assert away is not None
    return first, np.concatenate([home, reversed_moves(away), away])[:MOVES]


def lost(seed: int) -> tuple[Board, Moves]:
    """Return a game of random moves from a random board, none of which undoes the last."""
    board, choose = random_board(4, seed), Random(seed)
    here, moves = board.blank, [-1]
    for _ in range(MOVES):
        legal = legal_moves(here, *board.size)
        moves.append(choose.choice([m for m in range(4) if legal >> m & 1 and m != moves[-1] ^ 1]))
        here += blank_steps(board.width)[moves[-1]]
    return board, np.array(moves[1:], dtype=np.uint8)


def analyses(games: int) -> Iterator[Figure]:
    analyse(played(0)[0], goal_of(4), played(0)[1])
    kinds: tuple[tuple[str, Callable[[int], tuple[Board, Moves]], float | None], ...]
    kinds = (("line by line", played, 3), ("random moves", lost, None))
    for kind, play, bar in kinds:
        seconds, nodes = [], []
        for seed in range(1, games + 1):
            board, moves = play(seed)
            found, took = timed(lambda: analyse(board, goal_of(4), moves))  # noqa: B023
            assert found.exact
            seconds.append(took)
            nodes.append(found.statistics.generated)
        yield Figure(f"{kind}: median of {games}", median(seconds), "s")
        yield Figure(f"{kind}: worst of {games}", max(seconds), "s", bar)
        yield Figure(f"{kind}: nodes, median", median(nodes) / 1e6, "M")


class Player:
    """Asks for hints, and keeps the milliseconds that each took."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.times: list[float] = []

    def hint(self, board: Board) -> dict[str, Any]:
        request = {"board": board.cells.tolist()}
        hint, seconds = timed(lambda: self._client.post("/api/v1/hints", request))
        self.times.append(1_000 * seconds)
        if hint["upper_bound"] is None:
            raise SystemExit(f"no way of {board!r} was known in time")
        found: dict[str, Any] = hint
        return found

    def follow(self, board: Board) -> None:
        """Move as told until the board is solved; a way must become shorter with each move."""
        left = np.inf
        while board != goal_of(board.width):
            hint = self.hint(board)
            if hint["upper_bound"] >= left:
                raise SystemExit(f"a hint led no nearer to the goal: {board!r}")
            left = hint["upper_bound"]
            board = apply(board, from_letters(hint["moves"][:1]))

    def stray(self, board: Board, choose: Random) -> None:
        for _ in range(STRAY_MOVES):
            self.hint(board)
            board = choose.choice(list(board.neighbors()))


def hints(share: float) -> Iterator[Figure]:
    with running_system(**UNLIMITED, pdb_build=False) as system:
        settle(system, *HINT_BARS_MS)
        seeds = Random(SEED)
        for side, bar in HINT_BARS_MS.items():
            told, random = Player(system.client()), Player(system.client())
            for _ in range(max(1, round(share * FOLLOWED[side]))):
                told.follow(random_board(side, seeds.getrandbits(32)))
            while len(random.times) < share * STRAYED[side]:
                random.stray(random_board(side, seeds.getrandbits(32)), seeds)
            for what, player in (("as told", told), ("at random", random)):
                name = f"{side}×{side}, moving {what}, {len(player.times)} hints"
                p50, p95 = np.percentile(player.times, (50, 95)).tolist()
                yield Figure(f"{name}, median", p50, "ms")
                yield Figure(f"{name}, 95th percentile", p95, "ms", bar)


if __name__ == "__main__":
    run(
        "games",
        __doc__,
        {"analyses": lambda o: analyses(o.games), "hints": lambda o: hints(o.share)},
        f"Analyses: {MOVES} moves on 4×4 each, by one thread with this user's databases. Hints: "
        "client and the whole system share the machine; the quick databases alone.",
        games=20,
        share=1.0,
    )
