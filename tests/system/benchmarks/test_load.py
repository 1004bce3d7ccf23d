"""A brief run of ``make load``, and what it counts with."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest

from benchmarks.load.boards import random_board, small_boards
from benchmarks.load.memory import Sample, hourly
from benchmarks.load.wire import Answer, Connection
from benchmarks.report import RESULTS
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.solvability import is_solvable

ROOT = Path(__file__).parents[3]


def brief(part: str, databases: Path) -> dict[str, str]:
    """Run a part for some seconds; return its figures by what they are of."""
    before = {file: file.read_bytes() for file in RESULTS.glob("*.json")}
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.load", "--brief", "--parts", part],
        cwd=ROOT,
        env=os.environ | {"TILEWORK_DATABASES_DIR": str(databases)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert {file: file.read_bytes() for file in RESULTS.glob("*.json")} == before
    return dict(re.findall(r"^\| (.+?) \| (\S+) .*$", run.stdout, re.MULTILINE))


def test_limits_answer_in_their_order_and_say_when_to_come_again(pattern_databases: Path) -> None:
    rows = brief("pressure", pattern_databases)
    [refusals] = [what for what in rows if "refusals" in what]
    assert "429 rate, 429 quota, 429 rate, 503 overload, 429 quota" in refusals
    assert rows[refusals] == "0"


def test_throughput_rises_without_an_error(pattern_databases: Path) -> None:
    rows = brief("throughput", pattern_databases)
    rates = [float(value) for what, value in rows.items() if what.endswith("1 at a time: rate")]
    assert len(rates) == 4
    assert min(rates) > 0
    # A median is of things that were done as they should be; an error would stop the row.
    assert not [what for what in rows if "answered" in what or "lost" in what]


@pytest.mark.slow
@pytest.mark.parametrize("part", ["beside", "soak"])
def test_work_of_all_kinds_goes_on_at_once_without_an_error(
    part: str, pattern_databases: Path
) -> None:
    rows = brief(part, pattern_databases)
    errors = [value for what, value in rows.items() if what.endswith("errors")]
    assert errors
    assert set(errors) == {"0"}
    if part == "soak":
        assert any(what.endswith("web, growth") for what in rows)


def test_small_boards_are_solvable_and_no_puzzle_comes_twice() -> None:
    goal = blank_last(Board([1, 2, 3, 4, 5, 6, 7, 8, 0]).size)
    boards = [Board(cells) for cells in islice(small_boards(Random(1)), 500)]
    assert all(is_solvable(board, goal) for board in boards)
    assert len({canonicalize(board, goal).key for board in boards}) == len(boards)


@pytest.mark.parametrize("side", [3, 4, 5, 7])
def test_random_boards_are_solvable(side: int) -> None:
    boards = [Board(random_board(side, Random(seed))) for seed in range(40)]
    assert all(is_solvable(board, blank_last(board.size)) for board in boards)


def test_a_leak_of_two_megabytes_an_hour_is_seen_through_noise() -> None:
    random = Random(1)
    samples = [
        Sample(second, 100.0 + 2.0 * second / 3_600 + random.uniform(-0.2, 0.2), 50.0)
        for second in range(600, 1_800, 5)
    ]
    assert hourly(samples, "proportional") == pytest.approx(2.0, abs=0.5)
    assert hourly(samples, "own") == pytest.approx(0.0, abs=1e-6)


def test_what_a_search_takes_for_a_while_is_no_growth() -> None:
    random = Random(2)
    samples = [
        Sample(second, 100.0 + random.choice((0.0, 0.0, second / 10)), 50.0)
        for second in range(600, 1_800, 5)
    ]
    assert hourly(samples, "proportional") == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(
    ("answer", "status", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour", 200, b"four"),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n", 304, b""),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            200,
            b"1\r\nx\r\n0\r\n\r\n",
        ),
    ],
)
def test_an_answer_is_whole_only_with_its_last_byte(
    answer: bytes, status: int, body: bytes
) -> None:
    async def asked() -> Answer:
        connection = Connection()
        connection.connection_made(Mock())
        waiting = asyncio.ensure_future(connection.ask(b""))
        await asyncio.sleep(0)
        for byte in answer[:-1]:
            connection.data_received(bytes([byte]))
        assert not waiting.done()
        connection.data_received(answer[-1:])
        return await waiting

    # Apart, as a browser's loop may be running in this thread.
    with ThreadPoolExecutor(1) as apart:
        got = apart.submit(lambda: asyncio.run(asked())).result()
    assert (got.status, got.body) == (status, body)
