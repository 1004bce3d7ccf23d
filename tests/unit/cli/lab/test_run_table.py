"""``tilework compare`` on a terminal: a table that grows, Ctrl-C, and what a narrow one lets go."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.cli.terminal import Terminal
from tilework.core.cli.lab.run_columns import bytes_in_words

NEAR = "1 2 3 4 5 6 7 X 8"
# Korf's 100th, 53 moves: minutes without an estimate.
FAR = "11 4 0 8 6 10 5 13 12 7 14 3 1 2 9 15"

Start = Callable[..., Terminal]


def test_a_table_of_what_was_found(terminal: Start) -> None:
    screen, code = terminal("compare", NEAR, "--algorithms", "a-star,greedy").rest()
    shown = screen[screen.rindex(" method") :]
    assert code == 0
    assert [line.split()[:5] for line in shown.splitlines() if "solved" in line] == [
        ["a-star:", "1", "yes", "2", "3"],
        ["greedy:", "1", "yes", "2", "3"],
    ]
    assert "frontier" in screen


def test_the_run_under_way_and_ctrl_c(terminal: Start) -> None:
    running = terminal(
        "compare", FAR, "--goal", "blank-first", "--method", "greedy", "--method", "breadth-first",
        "--method", "a-star", "--node-limit", "1000000000", "--memory-limit", "64000",
        "--time-limit", "600",
    )  # fmt: skip
    running.read_until("2 of 3: breadth-first   0:00:01")
    running.interrupt()
    screen, code = running.rest()
    shown = screen[screen.rindex(" method") :]
    assert code == 130
    ended = [line for line in shown.splitlines() if "solved" in line or "cancelled" in line]
    assert [line.split()[0] for line in ended] == ["greedy:", "breadth-first"]


def test_ctrl_c_leaves_a_file_whole(executable: Path, tmp_path: Path) -> None:
    file = tmp_path / "runs.json"
    command = (
        f"exec {executable} compare {FAR} --goal blank-first --method greedy "
        f"--method breadth-first --node-limit 1000000000 --memory-limit 64000 --time-limit 600 "
        f"--format json > {file}"
    )
    running = Terminal(["sh", "-c", command])
    running.read_until("2 of 2: breadth-first")
    running.interrupt()
    _, code = running.rest()
    running.close()
    states = [record["state"] for record in json.loads(file.read_text())]
    assert (code, states) == (130, ["done", "cancelled"])


def test_a_narrow_terminal_says_what_it_leaves_out(terminal: Start) -> None:
    screen, code = terminal(
        "compare", NEAR, "--method", "weighted-a-star:linear-conflict:1.5", "--method", "greedy"
    ).rest()
    shown = screen[screen.rindex(" method") :]
    assert code == 0
    assert "weighted-a-star:" in shown
    assert "linear-conflict:1.5" in shown
    assert "A wider terminal shows" in shown
    assert all(len(line) <= 100 for line in shown.splitlines())


def test_a_sweep_is_shown_whole_at_the_end(terminal: Start) -> None:
    screen, code = terminal(
        "compare", "--sweep", "30", "--moves", "10", "--size", "2", "--method", "a-star"
    ).rest()
    shown = screen[screen.rindex(" board") :]
    assert code == 0
    assert [line.split()[0] for line in shown.splitlines() if "solved" in line] == [
        str(place) for place in range(30)
    ]


def test_a_board_is_asked_for(terminal: Start) -> None:
    screen, code = terminal("compare").rest()
    assert code == 2
    assert 'give a board, as in tilework compare "8 1 3 / 4 0 2 / 7 6 5", or --sweep' in screen


@pytest.mark.parametrize(
    ("count", "words"),
    [(None, ""), (0, "0 B"), (1023, "1023 B"), (1536, "1.5 kB"), (5 << 20, "5.0 MB"),
     (3 << 30, "3.0 GB")],
)  # fmt: skip
def test_bytes_are_short(count: int | None, words: str) -> None:
    assert bytes_in_words(count) == words
