"""Damaged rows: nothing of them is answered, and what they held is made anew."""

from dataclasses import replace
from itertools import chain, repeat

import pytest
from sqlalchemy import func, select, update

from tests.support.services.staging import (
    BOARD,
    GOAL,
    LENGTH,
    bounded,
    change,
    in_parts,
    optimal,
    searched,
    searching_job,
)
from tilework.core.model.jobs import WITHDRAWN
from tilework.core.model.states import JobState, SliceState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.replay import replay
from tilework.core.services.audit import Audit
from tilework.core.storage.damage import rows as damage
from tilework.core.storage.models import job as job_
from tilework.core.storage.models import set_aside, slice_, solve

OTHER = Board([1, 2, 3, 0, 4, 5], 3, 2)
SOLVED = (JobState.OPTIMAL, LENGTH, LENGTH)


def set_aside_rows(house):
    with house.database.engine(writes=False).connect() as connection:
        return connection.execute(select(set_aside).order_by(set_aside.c.number)).all()


def solved(house):
    job = house.ask(BOARD)
    house.work()
    assert house.read.view(job.id).upper_bound == LENGTH
    return job


def check_solved_anew(house):
    again = house.ask(BOARD)
    house.work()
    found, solution = house.read.view(again.id), house.read.solution(again.id)
    assert (found.state, found.lower_bound, found.upper_bound) == SOLVED
    assert solution.optimal
    replay(BOARD, solution.moves, GOAL)


@pytest.mark.parametrize(
    "values",
    [
        {"lower_bound": LENGTH - 2, "upper_bound": LENGTH - 2},
        {"moves": b"\x0a"},
        {"moves": None},
        {"board": b"", "goal": b""},
        {"improvement": "{"},
        {"seal": None},
    ],
)
def test_a_damaged_solve_is_solved_anew(house, values):
    job = solved(house)
    change(house, solve, **values)
    known = house.read.find_solution(BOARD, GOAL)
    if known is not None:
        assert known.optimal
        replay(BOARD, known.moves, GOAL)
    check_solved_anew(house)
    # Who asked before sees what is right by now.
    first = house.read.view(job.id)
    assert (first.state, first.lower_bound, first.upper_bound) == SOLVED
    assert len(house.read.solution(job.id).moves) == LENGTH


def test_a_job_that_had_ended_says_that_its_solution_was_withdrawn(house, caplog):
    job = solved(house)
    change(house, solve, lower_bound=LENGTH - 2, upper_bound=LENGTH - 2)
    assert house.read.view(job.id).message == WITHDRAWN
    assert house.read.solution(job.id) is None
    [line] = [one for one in caplog.messages if "damaged" in one]
    [row] = set_aside_rows(house)
    assert row.row_id in line
    assert (row.of_table, row.reason in line) == ("solve", True)
    assert f'"upper_bound": {LENGTH - 2}' in row.content
    assert house.read.statistics().set_aside == row.number
    check_solved_anew(house)
    assert house.read.view(job.id).message is None
    # It is given up where its key is taken meanwhile.
    change(house, solve, key="3x2:5:0-1-2-3-4-5")
    check_solved_anew(house)
    assert house.read.view(job.id).message == WITHDRAWN
    assert house.read.solution(job.id) is None


def test_a_running_job_goes_on_with_a_fresh_solve(house):
    job = searching_job(house)
    change(house, solve, lower_bound=LENGTH + 2, upper_bound=LENGTH + 2)
    now = house.read.view(job.id)
    assert not now.finished
    assert now.lower_bound <= LENGTH
    house.work()
    found = house.read.view(job.id)
    assert (found.state, found.upper_bound) == (JobState.OPTIMAL, LENGTH)


@pytest.mark.parametrize(
    "values",
    [
        {"state": SliceState.DONE},
        {"state": SliceState.QUARANTINED},
        {"queue": "nowhere"},
        {"cursor": b"root9:0.5"},
        {"epoch": 99},
    ],
)
def test_a_damaged_slice_costs_no_solution(house, values):
    """Of the parts of a tree the one with the solution is damaged."""
    house.solver.openings.append(bounded)
    house.solver.runnings += [searched, in_parts(0.5, 0.5)]
    job = house.ask(BOARD)
    house.work("interactive")
    worker = house.worker()
    while house.solver.runnings:
        worker.serve("search", "worker", chain([False], repeat(True)).__next__)
        house.pass_checks()
    now = house.solve_of(job)
    assert (now.threshold, now.pending >= 2) == (LENGTH, True)
    house.solver.runnings += [in_parts()] * (now.pending - 1)
    with house.database.engine(writes=True).begin() as connection:
        last = select(func.max(slice_.c.id)).where(slice_.c.state == SliceState.READY)
        this = slice_.c.id == last.scalar_subquery()
        assert connection.execute(update(slice_).where(this).values(**values)).rowcount == 1
    for _ in range(3):
        house.reconcile.run_once()
        house.work()
    found = house.read.view(job.id)
    assert (found.state, found.lower_bound, found.upper_bound) == SOLVED
    assert set_aside_rows(house)


@pytest.mark.parametrize(
    "values",
    [
        {"upper_bound": LENGTH - 2, "lower_bound": LENGTH - 2},
        {"state": "lost"},
        {"transform": "xyz"},
        {"board": b""},
    ],
)
def test_a_damaged_job_fails_and_says_so(house, values):
    job = solved(house)
    change(house, job_, **values)
    found = house.read.view(job.id)
    assert (found.state, found.message.code) == (JobState.FAILED, "record-damaged")
    assert (found.lower_bound, found.upper_bound) == (0, None)
    assert house.read.solution(job.id) is None
    assert [one.id for one in house.read.jobs_of(house.client)] == [job.id]
    check_solved_anew(house)


def test_the_audit_finds_what_nobody_reads(house):
    solved(house)
    audit = Audit(house.database, house.settings)
    checked = audit().checked
    assert {name: count for name, count in checked.items() if count} == {"solve": 1, "job": 1}
    change(house, solve, lower_bound=LENGTH - 2, upper_bound=LENGTH - 2)
    change(house, job_, state="running")
    told = []
    for _ in range(2):
        report = audit(watch=lambda *page: told.append(page))
        assert (report.damaged, [one.table for one in report.listed]) == (2, ["solve", "job"])
    assert told[0] == ("solve", 1, 1)
    assert set_aside_rows(house) == []
    # The job is mended with its solve, before its own turn comes.
    assert audit(reset=True).damaged == 1
    assert len(set_aside_rows(house)) == 2
    assert audit().damaged == 0
    check_solved_anew(house)


def test_of_many_damaged_rows_the_last_are_kept(house, monkeypatch):
    monkeypatch.setattr(damage, "MOST_KEPT", 2)
    for _ in range(4):
        solved(house)
        change(house, solve, lower_bound=1)
    house.ask(BOARD)
    first, last = set_aside_rows(house)
    assert house.read.statistics().set_aside == last.number == first.number + 1


def proves(lower_bound):
    def opening(board, goal, limits):
        return replace(bounded(board, goal, limits), lower_bound=lower_bound)

    return opening


def test_a_proved_bound_that_a_solution_contradicts_is_withdrawn(house):
    house.solver.openings.append(proves(LENGTH + 1))
    job = house.ask(BOARD)
    house.work("interactive")
    assert house.read.view(job.id).lower_bound == LENGTH + 1
    # It finds a solution of as many moves as it takes.
    house.solver.runnings.append(searched)
    house.work()
    [row] = set_aside_rows(house)
    assert (row.of_table, "contradicts the proved lower bound" in row.reason) == ("solve", True)
    found = house.read.view(job.id)
    assert (found.state, found.lower_bound, found.upper_bound) == SOLVED
    check_solved_anew(house)


def test_an_outcome_that_contradicts_what_is_sound_is_tried_again_alone(house):
    house.solver.openings += [proves(LENGTH + 20), optimal, optimal]
    jobs = [house.ask(board) for board in (BOARD, OTHER)]
    house.work("interactive")
    for job in jobs:
        found = house.read.view(job.id)
        assert (found.state, found.lower_bound == found.upper_bound) == ("optimal", True)
    # The others of its transaction were not solved again.
    assert len(house.solver.opened) == 3
    assert set_aside_rows(house) == []


def test_an_outcome_that_is_never_believed_ends_in_quarantine(house):
    house.solver.openings += [proves(LENGTH + 20)] * 5
    job = house.ask(BOARD)
    for _ in range(4):
        house.work("interactive")
        house.reconcile.run_once()
    found = house.read.view(job.id)
    assert (found.state, found.upper_bound) == ("failed", None)
    assert "contradicts the proved lower bound" in str(found.message)
    assert len(house.solver.opened) == 2
