"""Damaged solves are never returned; they start again."""

from contextlib import suppress
from dataclasses import replace
from itertools import chain, repeat

import pytest
from sqlalchemy import func, select, update

from tests.support.services.scripted_solver import (
    BOARD,
    GOAL,
    LENGTH,
    OTHER,
    leave_parts,
    search_whole_tree,
    solve_bounded,
    start_search,
    update_row,
)
from tilework.core.errors import DamagedRowError, DamagedSolveError
from tilework.core.model.jobs import WITHDRAWN
from tilework.core.model.states import JobState, SliceState
from tilework.core.puzzle.replay import replay
from tilework.core.services.audit import audit
from tilework.core.storage.models import job as job_
from tilework.core.storage.models import slice_, solve

SOLVED = (JobState.OPTIMAL, LENGTH, LENGTH)


def count_restarts(service):
    service.read._statistics = None
    return service.read.statistics().damaged_solves


def solve_job(service):
    job = service.request(BOARD)
    service.work()
    assert service.read.view(job.id).upper_bound == LENGTH
    return job


def check_solved_again(service):
    repeated = service.request(BOARD)
    service.work()
    view, solution = service.read.view(repeated.id), service.read.solution(repeated.id)
    assert (view.state, view.lower_bound, view.upper_bound) == SOLVED
    assert solution.optimal
    replay(BOARD, solution.moves, GOAL)


@pytest.mark.parametrize(
    "values",
    [
        {"lower_bound": LENGTH - 2, "upper_bound": LENGTH - 2},
        {"moves": b"\x0a"},
        {"moves": None},
        {"goal_blank": 0, "width": 9, "state": "idle"},
        {"improvement": "{"},
        {"checksum": None},
    ],
)
def test_damaged_solve_is_solved_again(service, values, caplog):
    job = solve_job(service)
    update_row(service, solve, **values)
    with pytest.raises(DamagedSolveError, match="is being replaced; try again"):
        service.read.find_solution(BOARD, GOAL)
    assert service.read.find_solution(BOARD, GOAL) is None
    assert f"the solve {job.solve_id} was damaged and starts again" in caplog.text
    assert count_restarts(service) == 1
    assert service.read.view(job.id).message == WITHDRAWN
    assert service.read.solution(job.id) is None
    check_solved_again(service)
    # Earlier jobs show the correct result again.
    first = service.read.view(job.id)
    assert (first.state, first.lower_bound, first.upper_bound) == SOLVED
    assert first.message is None
    assert len(service.read.solution(job.id).moves) == LENGTH


@pytest.mark.parametrize("values", [{"board": b""}, {"canonical_key": "3x2:5:0-1-2-3-4-5"}])
def test_solve_of_an_unknown_puzzle_is_given_up(service, values):
    ended = solve_job(service)
    update_row(service, solve, **values, state="idle")
    running = service.request(OTHER)
    with pytest.raises(DamagedSolveError):
        service.read.view(ended.id)
    with pytest.raises(DamagedRowError, match="cannot be read any more"):
        service.read.view(ended.id)
    assert [job.id for job in service.read.list_jobs(service.client)] == [running.id]
    assert audit(service.database).damaged == 0
    check_solved_again(service)


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
def test_no_solution_is_lost_to_a_damaged_slice(service, values):
    """The damaged slice is the part of the tree with the solution."""
    service.solver.solve_scripts.append(solve_bounded)
    service.solver.search_scripts += [search_whole_tree, leave_parts(0.5, 0.5)]
    job = service.request(BOARD)
    service.work("interactive")
    worker = service.worker()
    while service.solver.search_scripts:
        worker.run("search", "worker", chain([False], repeat(True)).__next__)
        service.complete_checks()
    search = service.read_solve(job)
    assert (search.threshold, search.pending >= 2) == (LENGTH, True)
    service.solver.search_scripts += [leave_parts()] * (search.pending - 1)
    with service.database.engine(writes=True).begin() as connection:
        last = select(func.max(slice_.c.id)).where(slice_.c.state == SliceState.READY)
        is_last = slice_.c.id == last.scalar_subquery()
        assert connection.execute(update(slice_).where(is_last).values(**values)).rowcount == 1
    for _ in range(3):
        service.reconcile.run_once()
        with suppress(DamagedSolveError):
            service.work()
    view = service.read.view(job.id)
    assert (view.state, view.lower_bound, view.upper_bound) == SOLVED
    assert count_restarts(service) == 1


@pytest.mark.parametrize("values", [{"state": "lost"}, {"transform": "xyz"}, {"board": b""}])
def test_unreadable_job_affects_no_other(service, values):
    job = solve_job(service)
    update_row(service, job_, **values)
    with pytest.raises(DamagedRowError, match="send the request again"):
        service.read.solution(job.id)
    check_solved_again(service)
    listed = [view.id for view in service.read.list_jobs(service.client)]
    assert (job.id in listed) == ("transform" in values)
    assert count_restarts(service) == 0


def test_unreadable_running_job_fails(service):
    job = start_search(service)
    update_row(service, job_, algorithm="oracle", target="pretty")
    service.work()
    with service.database.engine(writes=False).connect() as connection:
        state, message = connection.execute(select(job_.c.state, job_.c.message)).one()
    assert (state, message.code) == (JobState.FAILED, "record-damaged")
    assert service.read_solve(job).settled is False
    check_solved_again(service)


def prove_bound(lower_bound):
    def search(board, goal, limits):
        return replace(solve_bounded(board, goal, limits), lower_bound=lower_bound)

    return search


def test_solution_refutes_a_wrong_bound(service, caplog):
    service.solver.solve_scripts.append(prove_bound(LENGTH + 1))
    job = service.request(BOARD)
    service.work("interactive")
    assert service.read.view(job.id).lower_bound == LENGTH + 1
    # The search finds a solution that is shorter than this bound.
    service.solver.search_scripts.append(search_whole_tree)
    service.work()
    assert "contradicts the proven lower bound" in caplog.text
    assert count_restarts(service) == 1
    view = service.read.view(job.id)
    assert (view.state, view.lower_bound, view.upper_bound) == SOLVED
    check_solved_again(service)


def test_result_that_is_always_rejected_ends_in_quarantine(service):
    service.solver.solve_scripts += [prove_bound(LENGTH + 20)] * 5
    job = service.request(BOARD)
    for _ in range(4):
        service.work("interactive")
        service.reconcile.run_once()
    view = service.read.view(job.id)
    assert (view.state, view.upper_bound) == ("failed", None)
    assert "contradicts the proven lower bound" in str(view.message)
    assert len(service.solver.targets) == 2
