"""The checker finds what is wrong: a history that is right, and the same with one thing changed."""

from __future__ import annotations

from typing import Any

import pytest

from chaos.checking.checker import wrongs_of
from chaos.checking.recovery import percentile
from chaos.checking.replay import solves
from chaos.load.boards import Puzzle
from chaos.load.history import History, Job

# Two moves from the goal: the tiles 7 and 8 go left.
PUZZLE = Puzzle(3, (1, 2, 3, 4, 5, 6, 0, 7, 8), 2)

RUNNING = {
    "state": "running",
    "lower_bound": 0,
    "upper_bound": None,
    "finished_at": None,
    "message_code": None,
    "message": None,
    "nodes": 0,
    "version": "1.1",
}
ENDED = RUNNING | {
    "state": "optimal",
    "lower_bound": 2,
    "upper_bound": 2,
    "finished_at": 7.0,
    "nodes": 3,
    "version": "2.3",
}


def wrongs(*seen: dict[str, Any], moves: str | None = "LL", limit: float | None = None) -> str:
    job = Job("a", 0, PUZZLE, limit, list(seen))
    return "; ".join(wrongs_of(job, moves))


def test_nothing_is_wrong_with_what_is_right() -> None:
    assert wrongs(RUNNING, ENDED, ENDED) == ""
    late = ENDED | {"state": "bounded", "lower_bound": 0, "message_code": "time-is-up"}
    assert wrongs(RUNNING, late, limit=1.0) == ""


@pytest.mark.parametrize(
    ("seen", "moves", "found"),
    [
        ([RUNNING], None, "has not ended"),
        ([ENDED], "LR", "does not solve"),
        ([ENDED], None, "does not solve"),
        ([ENDED], "LLRL", "has 4 moves for an upper bound of 2"),
        ([ENDED | {"lower_bound": 0}], "LL", "is optimal with the bounds 0 and 2"),
        ([ENDED | {"lower_bound": 4, "upper_bound": 4}], "LLRL", "takes 2 moves"),
        ([ENDED, ENDED | {"nodes": 4}], "LL", "changed its nodes after its end"),
        ([ENDED, ENDED | {"state": "bounded"}], "LL", "changed its state after its end"),
        ([RUNNING | {"lower_bound": 2}, RUNNING, ENDED], "LL", "a lower bound that fell to 0"),
        ([RUNNING | {"upper_bound": 2}, RUNNING, ENDED], "LL", "an upper bound that rose"),
        ([RUNNING | {"state": "cancelled"}], None, "was cancelled, and not by who had posted it"),
        ([ENDED | {"state": "expired"}], "LL", "expired without a limit"),
        ([ENDED | {"state": "bounded"}], "LL", "ended bounded without a limit"),
    ],
)
def test_what_is_wrong_is_found(seen: list[dict[str, Any]], moves: str | None, found: str) -> None:
    assert found in wrongs(*seen, moves=moves)


def test_of_what_was_damaged_nothing_more_may_be_told_but_nothing_wrong() -> None:
    lost = ENDED | {"state": "failed", "lower_bound": 0, "message_code": "record-damaged"}
    job = Job("a", 0, PUZZLE, None, [ENDED, lost])
    assert list(wrongs_of(job, None))
    job.damaged = True
    assert list(wrongs_of(job, None)) == []
    # What was told before it was noticed is told.
    job.seen.insert(0, ENDED | {"upper_bound": 1})
    assert list(wrongs_of(job, None)) == ["takes 2 moves, and its bounds are 2 and 1"]


def test_only_what_was_poisoned_fails_for_killing_its_workers() -> None:
    failed = RUNNING | {"state": "failed", "finished_at": 7.0, "message_code": "quarantined"}
    job = Job("a", 0, PUZZLE, None, [failed])
    assert list(wrongs_of(job, None)) == ["failed: None"]
    job.poisoned = True
    assert list(wrongs_of(job, None)) == []
    job.seen[-1] = failed | {"message_code": "search-failed"}
    assert list(wrongs_of(job, None)) == ["failed: None"]


def test_solutions_are_replayed() -> None:
    assert solves(PUZZLE, "LL")
    assert not solves(PUZZLE, "L")
    # Off the board; and no move at all, by a word that is none.
    assert not solves(PUZZLE, "RLL")
    assert not solves(PUZZLE, "xLL")


def test_percentiles_are_values_that_were_measured() -> None:
    assert percentile([3.0, 1.0, 2.0], 99) == 3.0
    assert percentile([float(number) for number in range(1, 201)], 99) == 198.0
    assert percentile([], 99) == 0.0


def test_a_job_that_is_told_twice_is_one() -> None:
    history = History()
    first = history.accept(Job("a", 0, PUZZLE, None))
    assert history.accept(Job("a", 0, PUZZLE, None)) is first
