"""Hints as a player gets them: milliseconds from POST to the answer, at every move of a game.

Usage: python -m tools.benchmarks.hints

By default a whole system is started for it. Some players move as they are told, all the way from a
random board; others move at random and ask after each move, so that hardly any board was asked for
before.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply
from tilework.core.puzzle.scramble import scramble
from tools.benchmarks.api import SETTLE_S, Client
from tools.benchmarks.report import Figure, record
from tools.benchmarks.system import running_system

SEED = 20260123
BARS_MS = {3: 100.0, 4: 100.0, 5: 2_000.0}
FOLLOWED = {3: 20, 4: 10, 5: 4}
STRAYED = {3: 200, 4: 200, 5: 40}
GAME = 20
"""Moves of a random game."""

Random = np.random.Generator


def main() -> None:
    """Measure all sizes and record them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", help="host:port of a running system")
    server = parser.parse_args().server
    if server:
        figures = measure(server)
    else:
        with running_system(rate_limit="1000000/minute", pdb_build="false") as started:
            figures = measure(started)
    record(
        "hints",
        figures,
        notes="Client and the whole system share the machine; the quick pattern databases alone. "
        "A hint is waited for up to 2 s.",
    )


def measure(server: str) -> list[Figure]:
    """Measure a system; boards are new to it where it has not been measured before."""
    client, random = Client(server), np.random.default_rng(SEED)
    for side in BARS_MS:  # a first board of each size may load tables
        _wait_for_hint(client, scramble(Size(side, side), blank_last(Size(side, side)), seed=1))
    time.sleep(SETTLE_S)
    figures = []
    for side, bar in BARS_MS.items():
        for what, play in (("as told", _follow), ("at random", _stray)):
            times = play(client, Size(side, side), random)
            name = f"{side}×{side}, moving {what}, {len(times)} hints"
            p50, p95 = np.percentile(times, (50, 95))
            figures += [
                Figure(f"{name}, median", float(p50), "ms"),
                Figure(f"{name}, 95th percentile", float(p95), "ms", bar),
            ]
    return figures


def _follow(client: Client, size: Size, random: Random) -> list[float]:
    """Move as told until each board is solved; a way must become shorter with each move."""
    times: list[float] = []
    for _ in range(FOLLOWED[size.width]):
        board, left = _random_board(size, random), None
        while board != blank_last(size):
            hint = _timed(times, client, board)
            if left is not None and hint["upper_bound"] >= left:
                raise SystemExit(f"a hint led no nearer to the goal: {board!r}")
            left = hint["upper_bound"]
            board = apply(board, from_letters(hint["moves"][:1]))
    return times


def _stray(client: Client, size: Size, random: Random) -> list[float]:
    times: list[float] = []
    while len(times) < STRAYED[size.width]:
        board = _random_board(size, random)
        for _ in range(GAME):
            _timed(times, client, board)
            ways = list(board.neighbors())
            board = ways[int(random.integers(len(ways)))]
    return times


def _random_board(size: Size, random: Random) -> Board:
    return scramble(size, blank_last(size), seed=int(random.integers(2**32)))


def _timed(times: list[float], client: Client, board: Board) -> dict[str, Any]:
    began = time.perf_counter()
    hint = _ask(client, board)
    times.append((time.perf_counter() - began) * 1_000)
    if hint["upper_bound"] is None:
        raise SystemExit(f"no way of {board!r} was known in time")
    return hint


def _wait_for_hint(client: Client, board: Board) -> None:
    while _ask(client, board)["upper_bound"] is None:
        pass


def _ask(client: Client, board: Board) -> dict[str, Any]:
    return client.ask("POST", "/api/v1/hints", json.dumps({"board": board.cells.tolist()}))


if __name__ == "__main__":
    main()
