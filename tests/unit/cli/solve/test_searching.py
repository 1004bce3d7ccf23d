"""A search that takes its time: progress line, Ctrl-C, limits."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.cli.terminal import Terminal
from tilework.core.cli.progress_line import count, describe
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.result import Progress

Run = Callable[..., Any]

# Korf's first 24-puzzle (95 moves): far more than a minute on one core.
HARD = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"
HARD_OPTIONS = ["--goal", "blank-first"]


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0"), (999, "999"), (1000, "1.0 k"), (12_345_678, "12.3 M"), (5e9, "5.0 G")],
)
def test_counts_are_short(number: float, words: str) -> None:
    assert count(number) == words


def test_a_line_of_progress() -> None:
    assert (
        describe(Progress(41, 57, 12_300_000, 3.0))
        == "41 ≤ optimal ≤ 57   0:00:03   12.3 M nodes   4.1 M nodes/s"
    )
    assert (
        describe(Progress(41, 57, 12_300_000, 3.0), 38)
        == "41 ≤ optimal ≤ 57   gap 39%   1.50 × Manhattan   0:00:03   12.3 M nodes   4.1 M nodes/s"
    )
    assert describe(Progress(41, None, 0, 0.0), 38).startswith("41 ≤ optimal   0:00:00   0 nodes")


def searching(pid: int, seconds: float) -> None:
    """Wait until a process has computed for so long from now on, however busy the machine is."""
    process = psutil.Process(pid)
    until = sum(process.cpu_times()[:2]) + seconds
    while sum(process.cpu_times()[:2]) < until:
        assert process.status() != psutil.STATUS_ZOMBIE
        time.sleep(0.05)


def test_ctrl_c_prints_the_best_solution_so_far_and_its_bounds(executable: Path) -> None:
    with subprocess.Popen(
        [executable, "solve", HARD, *HARD_OPTIONS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        searching(process.pid, seconds=6)
        process.send_signal(signal.SIGINT)
        moves, notes = process.communicate(timeout=60)
    assert process.returncode == 130
    assert re.search(r"interrupted after [\d.]+( [kMG])? nodes in [\d.e+]+ s\n$", notes)
    proved = re.search(r"the optimum has at least (\d+)", notes)
    assert proved is not None
    assert 75 <= int(proved[1]) <= 95 <= len(moves.strip())
    assert set(moves.strip()) <= set("UDLR")


def test_ctrl_c_prints_the_best_solution_of_a_large_board_at_once(
    terminal: Callable[..., Terminal],
) -> None:
    board = scramble(Size(10, 10), blank_last(Size(10, 10)), seed=1)
    there = terminal("solve", " ".join(map(str, board.cells.tolist())), "--time-limit", "60")
    there.read_until("× Manhattan   0:00:0")
    there.interrupt()
    pressed = time.monotonic()
    shown, code = there.rest()
    assert time.monotonic() - pressed < 5
    assert code == 130
    assert "interrupted after" in shown
    [letters] = re.findall("[UDLR]{500,}", shown)
    replay(board, from_letters(letters), blank_last(board.size))


def test_ctrl_c_ends_a_file_of_boards(executable: Path) -> None:
    with subprocess.Popen(
        [executable, "solve", "--jsonl", "-", *HARD_OPTIONS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"1 0 2 3\n{HARD}\n0 1 2 3\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["length"] == 1
        searching(process.pid, seconds=1)
        process.send_signal(signal.SIGINT)
        records = [json.loads(line) for line in process.communicate(timeout=60)[0].splitlines()]
    assert process.returncode == 130
    assert len(records) == 1
    assert records[0]["optimal"] is False
    assert records[0]["lower_bound"] >= 75


def test_the_time_limit(tilework: Run) -> None:
    done = tilework("solve", HARD, *HARD_OPTIONS, "--time-limit", "0.5")
    assert done.code == 0
    assert "not proved shortest: the optimum has at least" in done.err
    assert len(done.out.strip()) >= 95


def test_the_progress_line_of_a_terminal(terminal: Callable[..., Terminal]) -> None:
    there = terminal("solve", HARD, *HARD_OPTIONS)
    there.read_until("× Manhattan   0:00:0")
    there.interrupt()
    shown, code = there.rest()
    assert code == 130
    assert "interrupted after" in shown
