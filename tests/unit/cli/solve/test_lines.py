"""``tilework solve --jsonl``: files of many boards."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.instances import DATA, instances
from tilework.core.errors import ReplayError
from tilework.core.puzzle.board import Board

SLOWLY = ["--algorithm", "ida-star", "--heuristic", "linear-conflict"]
# At 80 moves; with linear conflicts it takes minutes.
HARD = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"
KORF = "korf100_15puzzle.txt"
Run = Callable[..., Any]

FIELDS = [
    "id",
    "width",
    "height",
    "length",
    "slides",
    "metric",
    "lower_bound",
    "lower_bound_proof",
    "optimal",
    "manhattan",
    "ratio",
    "moves",
    "nodes",
    "seconds",
    "algorithm",
]


def records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_benchmark_lines_and_plain_boards(tilework: Run, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(
        "# a comment\n"
        "easy-1 3 3 0 1 3 4 2 5 7 8 6 | 4 | a note\n"
        "\n"
        "1 2 3 4 5 6 7 0 8\n"
        "wide 3 2 1 2 3 4 0 5\n"
        "2x3: 1 2 3 4 0 5\n"
    )
    done = tilework("solve --jsonl", str(file))
    assert done.code == 0
    found = records(done.out)
    assert [list(record) for record in found] == [FIELDS] * 4
    assert [record["id"] for record in found] == ["easy-1", "4", "wide", "6"]
    assert [record["moves"] for record in found] == ["LULU", "L", "L", "L"]
    assert [record["length"] for record in found] == [4, 1, 1, 1]
    assert all(record["optimal"] for record in found)
    assert (found[2]["width"], found[2]["height"]) == (3, 2)


def test_a_bad_line_is_told_and_the_rest_is_solved(tilework: Run) -> None:
    done = tilework("solve --jsonl -", stdin="a 2 2 1 2 3\n1 2 3 zero\n1 2 0 3\n")
    assert done.code == 2
    short, bad, good = records(done.out)
    assert short == {
        "id": "a",
        "line": 1,
        "error": "'a': a board of 2×2 has 4 cells, got 3 tiles",
    }
    assert bad["line"] == 2
    assert bad["error"].startswith("'zero' is not a tile")
    assert good["moves"] == "L"


def test_an_unsolvable_line(tilework: Run) -> None:
    done = tilework("solve --jsonl -", stdin="no 2 2 2 1 3 0\nyes 2 2 1 2 0 3\n")
    assert done.code == 1
    refused, solved = records(done.out)
    assert refused["id"] == "no"
    assert "error" in refused
    assert solved["length"] == 1


def test_the_worst_line_decides_the_exit_code(tilework: Run) -> None:
    done = tilework("solve --jsonl -", stdin="2 1 3 0\n1 1 1 1\n1 2 3 0\n")
    assert done.code == 2


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (MemoryError("Unable to allocate 30 GiB"), "there is not enough memory for this board"),
        (ZeroDivisionError("by zero"), "the search failed: ZeroDivisionError: by zero"),
        (ReplayError("it ends elsewhere"), "the search failed: ReplayError: it ends elsewhere"),
    ],
    ids=["memory", "any", "own"],
)
def test_a_search_that_fails_is_told_and_the_rest_is_solved(
    tilework: Run, monkeypatch: pytest.MonkeyPatch, failure: Exception, words: str
) -> None:
    from tilework.core.solver import solve as solver

    solve = solver.solve

    def failing(board: Board, *arguments: Any, **options: Any) -> Any:
        if board.width == 2:
            raise failure
        return solve(board, *arguments, **options)

    monkeypatch.setattr(solver, "solve", failing)
    done = tilework("solve --jsonl -", stdin="a 2 2 1 2 0 3\nb 3 2 1 2 3 4 0 5\n")
    assert done.code == 1
    failed, solved = records(done.out)
    assert failed == {"id": "a", "line": 1, "error": words}
    assert solved["moves"] == "L"


def test_options_hold_for_every_line(tilework: Run) -> None:
    done = tilework("solve --jsonl - --goal blank-first --by blank", stdin="1 0 2 3\n")
    assert records(done.out)[0]["moves"] == "L"


def test_the_width_of_lines_that_do_not_say_it(tilework: Run) -> None:
    done = tilework("solve --jsonl - --width 3", stdin="1 2 3 4 0 5\n")
    assert records(done.out)[0]["width"] == 3


@pytest.mark.parametrize("words", ["1 2 3 0", "nowhere.txt"])
def test_it_reads_one_file(tilework: Run, words: str) -> None:
    done = tilework("solve --jsonl", words)
    assert done.code == 2
    assert done.out == ""


def test_each_answer_comes_before_the_next_board(executable: Path) -> None:
    with subprocess.Popen(
        [executable, "solve", "--jsonl", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for board, moves in [("1 2 0 3", "L"), ("1 0 3 2", "U")]:
            process.stdin.write(board + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["moves"] == moves
        process.stdin.close()
    assert process.returncode == 0


def test_ctrl_c_tells_what_is_under_way_and_no_more(executable: Path) -> None:
    with subprocess.Popen(
        [executable, "solve", "--jsonl", "-", "--threads", "2", *SLOWLY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("1 2 0 3\n" + f"{HARD}\n" * 20)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["moves"] == "L"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        rest = records(process.stdout.read())
    assert process.returncode == 130
    assert 1 <= len(rest) <= 2
    for record in rest:
        assert not record["optimal"]
        assert 40 <= record["lower_bound"] <= 80


def test_nothing_is_searched_for_a_reader_who_is_gone(executable: Path, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("1 2 0 3\n" + f"{HARD}\n" * 3)
    with subprocess.Popen(
        [executable, "solve", "--jsonl", str(file), "--threads", "2", *SLOWLY],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        try:
            assert process.wait(30) == 141
        finally:
            process.kill()
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_korfs_hundred(tilework: Run) -> None:
    done = tilework("solve --jsonl", str(DATA / KORF), "--goal blank-first")
    assert done.code == 0
    found = records(done.out)
    known = {instance.name: instance.length for instance in instances(KORF)}
    assert {record["id"]: record["length"] for record in found} == known
    assert all(record["optimal"] for record in found)
