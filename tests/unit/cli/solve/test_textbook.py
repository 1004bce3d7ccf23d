"""``tilework solve`` with a textbook search."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support import naive

Run = Callable[..., Any]

BOARD = "8 1 3 4 0 2 7 6 5"


def test_its_solution_is_written_and_its_figures_beside_it(tilework: Run) -> None:
    done = tilework("solve", BOARD, "--algorithm greedy --heuristic hamming")
    assert done.code == 0
    assert naive.played(tuple(map(int, BOARD.split())), 3, done.out.strip()) == naive.solved(3, 3)
    assert "26 moves, perhaps not a shortest solution: 196 visited, 535 generated" in done.err


def test_as_a_row_it_has_all_figures(tilework: Run) -> None:
    done = tilework("solve", "-", "--jsonl --algorithm a-star --heuristic hamming", stdin=BOARD)
    row = json.loads(done.out)
    assert (row["length"], row["algorithm"], row["lower_bound"]) == (14, "a-star:hamming", 10)
    assert (row["optimal"], row["run"]["optimal"]) == (False, True)
    assert (row["run"]["visited"], row["run"]["max_frontier"]) == (207, 134)


def test_its_limits_end_it(tilework: Run) -> None:
    done = tilework("solve", BOARD, "--algorithm breadth-first --node-limit 100")
    assert done.code == 1
    assert "no solution: The limit of 100 nodes was reached." in done.err
    done = tilework("solve", "7 5 8 2 3 4 1 0 6", "--algorithm breadth-first --memory-limit 1")
    assert "The limit of 1 MiB was reached" in done.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--heuristic hamming", "hamming is a heuristic of the textbook searches and auto is none"),
        ("--algorithm dijkstra", "'dijkstra' is not available; choose from auto, a-star"),
        ("--algorithm greedy --target any", "greedy takes no target"),
        ("--algorithm greedy --weight 2", "greedy takes no weight"),
        ("--algorithm a-star --memory-limit 9", "a-star takes no --memory-limit"),
    ],
)
def test_what_does_not_go_together_is_refused(tilework: Run, options: str, words: str) -> None:
    done = tilework("solve", BOARD, options)
    assert done.code == 2
    assert words in done.err
