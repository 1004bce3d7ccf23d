"""A short run of ``make chaos``; docs/reliability.md has what long ones measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from chaos.checking.checker import wrongs_of
from chaos.faults.names import faults_of
from chaos.load.boards import Puzzle
from chaos.load.history import Job
from chaos.run import Plan, run


@pytest.mark.timeout(900)
def test_random_faults_make_nothing_wrong(pattern_databases: Path) -> None:
    kind = "postgresql"
    plan = Plan(kind, 10.0, 1, faults_of(kind), pattern_databases, every=1.0)
    outcome = run(plan)
    assert outcome.wrongs == []
    assert outcome.jobs
    assert outcome.faults


def test_its_checker_tells_a_wrong_answer() -> None:
    # Two moves from the goal: the tiles 7 and 8 go left.
    puzzle = Puzzle(3, (1, 2, 3, 4, 5, 6, 0, 7, 8), 2)
    ended = {"state": "optimal", "lower_bound": 2, "upper_bound": 2, "finished_at": 7.0}
    ended |= {"message_code": None, "message": None, "nodes": 3, "version": "2.3"}
    for changes, moves, found in (
        ({}, "LL", None),
        ({"state": "running", "finished_at": None}, None, "has not ended"),
        ({}, "LR", "does not solve"),
        ({"lower_bound": 4, "upper_bound": 4}, "LLRL", "takes 2 moves"),
        ({"nodes": 4}, "LL", "changed its nodes after its end"),
        ({"state": "expired"}, "LL", "expired without a limit"),
    ):
        wrongs = list(wrongs_of(Job("a", 0, puzzle, None, [ended, ended | changes]), moves))
        assert (found is None) == (wrongs == [])
        assert found is None or found in "; ".join(wrongs)
