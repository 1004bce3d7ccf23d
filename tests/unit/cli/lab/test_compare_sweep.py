"""``tilework compare --sweep``: many boards, and what stands in their rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]

SWEEP = "compare --sweep 4 --size 3x2 --moves 20 --algorithms greedy,a-star --format jsonl"


def records(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_each_row_has_its_board_and_the_optimal_length(tilework: Run) -> None:
    rows = records(tilework(SWEEP).out)
    assert [row["board_index"] for row in rows] == [0, 0, 1, 1, 2, 2, 3, 3]
    for row in rows:
        board = "3x2: " + " ".join(map(str, row["board"]))
        assert len(tilework("solve", board).out.strip()) == row["optimal_length"]
        assert row["optimal"] == (row["length"] == row["optimal_length"])


def test_the_same_seed_gives_the_same_boards_and_figures(tilework: Run) -> None:
    def figures(seed: str) -> list[Any]:
        rows = records(tilework(SWEEP, "--seed", seed).out)
        return [(row["board"], row["visited"], row["length"]) for row in rows]

    assert figures("7") == figures("7") != figures("8")


def test_the_boards_are_those_that_scramble_draws(tilework: Run) -> None:
    rows = records(tilework(SWEEP, "--seed 7").out)
    last = tilework("scramble 3x2 --seed 10 --moves 20").out
    assert last == "3x2: " + " ".join(map(str, rows[-1]["board"])) + "\n"


def test_the_table_begins_with_board_and_optimum(tilework: Run) -> None:
    out = tilework(SWEEP.replace("jsonl", "table")).out
    header, *rows = (line.split("\t") for line in out.splitlines())
    assert header[:4] == ["board_index", "optimal_length", "method", "length"]
    assert [row[0] for row in rows] == ["0", "0", "1", "1", "2", "2", "3", "3"]


def test_all_rows_are_sorted_together(tilework: Run) -> None:
    visited = [row["visited"] for row in records(tilework(SWEEP, "--sort visited").out)]
    assert visited == sorted(visited)
