"""The checker of chaos runs finds jobs that were lost, wrong, or changed after their end."""

from typing import Any

import pytest

from tools.chaos.checker import find_job_errors
from tools.chaos.history import Job
from tools.chaos.puzzles import Puzzle

PUZZLE = Puzzle(3, (1, 2, 3, 4, 5, 6, 0, 7, 8), length=2)
SOLUTION = "LL"
WAITING = {
    "state": "waiting",
    "lower_bound": 0,
    "upper_bound": None,
    "finished_at": None,
    "message_code": "",
    "message": "",
    "nodes": 0,
    "version": 1,
}
OPTIMAL = WAITING | {
    "state": "optimal",
    "lower_bound": 2,
    "upper_bound": 2,
    "finished_at": 1.0,
    "nodes": 9,
    "version": 3,
}


def find(*documents: dict[str, Any], moves: str | None = SOLUTION) -> list[str]:
    return list(find_job_errors(Job("a", 0, PUZZLE, None, list(documents)), moves))


def test_checker_accepts_a_correct_job() -> None:
    assert find(WAITING, OPTIMAL, OPTIMAL) == []


@pytest.mark.parametrize(
    ("documents", "moves"),
    [
        ([WAITING], None),  # never ends
        ([OPTIMAL], "LU"),  # moves that do not solve the board
        ([OPTIMAL], None),  # a solution that cannot be read
        ([OPTIMAL], "LLRL"),  # moves that do not fit the bounds
        ([OPTIMAL | {"lower_bound": 3, "upper_bound": 4}], "LL"),  # a wrong lower bound
        ([OPTIMAL | {"upper_bound": 1}], "L"),  # a wrong upper bound
        ([OPTIMAL | {"state": "bounded"}], SOLUTION),  # given up without a limit
        ([OPTIMAL | {"state": "failed"}], SOLUTION),
        ([OPTIMAL | {"state": "cancelled"}], SOLUTION),  # not by its owner
        ([WAITING | {"nodes": 10}, OPTIMAL], SOLUTION),  # fewer nodes than before
        ([WAITING | {"upper_bound": 4}, WAITING, OPTIMAL], SOLUTION),  # a solution that went away
        ([OPTIMAL, OPTIMAL | {"nodes": 10}], SOLUTION),  # changed after its end
        ([OPTIMAL, OPTIMAL | {"version": 4}], SOLUTION),
    ],
)
def test_checker_finds_a_wrong_job(documents: list[dict[str, Any]], moves: str | None) -> None:
    assert find(*documents, moves=moves)
