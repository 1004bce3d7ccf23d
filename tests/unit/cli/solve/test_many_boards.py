import json
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli.runner import Run
from tests.support.instances import DATA, load_instances
from tilework.core.errors import ReplayError
from tilework.core.puzzle.board import Board

KORF = "korf100_15puzzle.txt"

FIELDS = (
    *("id", "width", "height", "length", "slides", "metric", "lower_bound", "lower_bound_proof"),
    *("optimal", "manhattan", "ratio", "moves", "nodes", "seconds", "algorithm"),
)


def read_records(text: str) -> list[dict[str, Any]]:
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
    result = tilework("solve --jsonl", str(file))
    assert result.code == 0
    lines = read_records(result.out)
    assert [tuple(record) for record in lines] == [FIELDS] * 4
    assert [record["id"] for record in lines] == ["easy-1", "4", "wide", "6"]
    assert [record["moves"] for record in lines] == ["LULU", "L", "L", "L"]
    assert [record["length"] for record in lines] == [4, 1, 1, 1]
    assert all(record["optimal"] for record in lines)
    assert (lines[2]["width"], lines[2]["height"]) == (3, 2)


def test_invalid_line_is_reported_and_others_are_solved(tilework: Run) -> None:
    result = tilework("solve --jsonl -", stdin="a 2 2 1 2 3\n1 2 3 zero\n2 1 3 0\n1 2 0 3\n")
    assert result.code == 2  # the worst exit code
    short, bad, unsolvable, good = read_records(result.out)
    error = "there is no blank among these 3 tiles; write it as 0"
    assert short == {"id": "a", "line": 1, "error": error}
    assert (bad["line"], bad["error"][:20]) == (2, "'zero' is not a tile")
    assert "error" in unsolvable
    assert good["moves"] == "L"
    assert tilework("solve --jsonl -", stdin="no 2 2 2 1 3 0\nyes 2 2 1 2 0 3\n").code == 1
    for argument in ("1 2 3 0", "nowhere.txt"):
        result = tilework("solve --jsonl", argument)
        assert (result.code, result.out) == (2, "")


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (MemoryError("Unable to allocate 30 GiB"), "there is not enough memory for this board"),
        (ReplayError("it ends elsewhere"), "the search failed: ReplayError: it ends elsewhere"),
    ],
    ids=["memory", "any"],
)
def test_failed_search_is_reported_and_others_are_solved(
    tilework: Run, monkeypatch: pytest.MonkeyPatch, failure: Exception, expected: str
) -> None:
    from tilework.core.solver import solve as solver

    solve = solver.solve

    def fail_if_narrow(board: Board, *arguments: Any, **options: Any) -> Any:
        if board.width == 2:
            raise failure
        return solve(board, *arguments, **options)

    monkeypatch.setattr(solver, "solve", fail_if_narrow)
    result = tilework("solve --jsonl -", stdin="a 2 2 1 2 0 3\nb 3 2 1 2 3 4 0 5\n")
    assert result.code == 1
    failed, solved = read_records(result.out)
    assert failed == {"id": "a", "line": 1, "error": expected}
    assert solved["moves"] == "L"


def test_every_eighth_of_korfs_boards(tilework: Run) -> None:
    boards = (DATA / KORF).read_text().splitlines()[-100::8]
    result = tilework("solve --jsonl - --goal blank-first", stdin="\n".join(boards))
    assert result.code == 0
    lines = read_records(result.out)
    lengths = {instance.name: instance.length for instance in load_instances(KORF)[::8]}
    assert {record["id"]: record["length"] for record in lines} == lengths
    assert all(record["optimal"] for record in lines)


def test_results_are_printed_in_the_order_of_the_input(
    tilework: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tilework.core.solver import solve as solver

    solve, is_later_solved = solver.solve, threading.Event()

    def solve_first_last(board: Board, *arguments: Any, **options: Any) -> Any:
        result = solve(board, *arguments, **options)
        if board.width == 3:
            is_later_solved.set()
        assert is_later_solved.wait(120)
        return result

    monkeypatch.setattr(solver, "solve", solve_first_last)
    lines = "first 2 2 1 2 0 3\nsecond 3 2 1 2 3 4 0 5\n"
    result = tilework("solve --jsonl - --threads 2", stdin=lines)
    assert [record["id"] for record in read_records(result.out)] == ["first", "second"]


def test_boards_of_several_files(
    tilework: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = []
    for name, text in (("a", "1 2 3 / 4 0 6 / 7 5 8"), ("bad", "1 2 3 4"), ("b", "2 3 0 1")):
        files.append(str(tmp_path / name))
        Path(files[-1]).write_text(text)
    result = tilework("solve", *files)
    shown = [line for line in result.out.splitlines() if line.startswith("==>")]
    assert result.code == 2
    assert shown == [f"==> {file} <==" for file in files]
    assert result.out.splitlines()[1] == "UL"
    assert files[1] in result.err
    documents = tilework("solve --json", files[0], files[2]).out.splitlines()
    assert [json.loads(document)["length"] for document in documents] == [2, 5]
    monkeypatch.chdir(tmp_path)
    for number in range(4):
        Path(str(number)).write_text("1 2 3 4 5 6 7 0 8")
    assert tilework("solve 1 2 0 3").out == tilework("solve 1,2,0,3").out
