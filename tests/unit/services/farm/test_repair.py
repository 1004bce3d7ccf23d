"""Damaged rows are never returned; their content is computed again."""

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
    solve_optimally,
    start_search,
    update_row,
)
from tilework.core.model.jobs import WITHDRAWN
from tilework.core.model.states import JobState, SliceState
from tilework.core.puzzle.replay import replay
from tilework.core.services.audit import Audit
from tilework.core.storage.damage import rows as damage
from tilework.core.storage.models import damaged_row, slice_, solve, task
from tilework.core.storage.models import job as job_

SOLVED = (JobState.OPTIMAL, LENGTH, LENGTH)


def read_damaged_rows(service):
    with service.database.engine(writes=False).connect() as connection:
        return connection.execute(select(damaged_row).order_by(damaged_row.c.number)).all()


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
        {"board": b"", "goal": b""},
        {"improvement": "{"},
        {"seal": None},
    ],
)
def test_damaged_solve_is_solved_again(service, values):
    job = solve_job(service)
    update_row(service, solve, **values)
    solution = service.read.find_solution(BOARD, GOAL)
    if solution is not None:
        assert solution.optimal
        replay(BOARD, solution.moves, GOAL)
    check_solved_again(service)
    # Earlier jobs show the correct result again.
    first = service.read.view(job.id)
    assert (first.state, first.lower_bound, first.upper_bound) == SOLVED
    assert len(service.read.solution(job.id).moves) == LENGTH


def test_finished_job_reports_that_its_solution_was_withdrawn(service, caplog):
    job = solve_job(service)
    update_row(service, solve, lower_bound=LENGTH - 2, upper_bound=LENGTH - 2)
    assert service.read.view(job.id).message == WITHDRAWN
    assert service.read.solution(job.id) is None
    [line] = [message for message in caplog.messages if "damaged" in message]
    [row] = read_damaged_rows(service)
    assert row.row_id in line
    assert (row.of_table, row.reason in line) == ("solve", True)
    assert f'"upper_bound": {LENGTH - 2}' in row.content
    assert service.read.statistics().set_aside == row.number
    check_solved_again(service)
    assert service.read.view(job.id).message is None
    # The repair fails if another solve has taken the key.
    update_row(service, solve, canonical_key="3x2:5:0-1-2-3-4-5")
    check_solved_again(service)
    assert service.read.view(job.id).message == WITHDRAWN
    assert service.read.solution(job.id) is None


def test_running_job_continues_with_a_new_solve(service):
    job = start_search(service)
    update_row(service, solve, lower_bound=LENGTH + 2, upper_bound=LENGTH + 2)
    view = service.read.view(job.id)
    assert not view.finished
    assert view.lower_bound <= LENGTH
    service.work()
    view = service.read.view(job.id)
    assert (view.state, view.upper_bound) == (JobState.OPTIMAL, LENGTH)


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
        service.work()
    view = service.read.view(job.id)
    assert (view.state, view.lower_bound, view.upper_bound) == SOLVED
    assert read_damaged_rows(service)


@pytest.mark.parametrize(
    "values",
    [
        {"upper_bound": LENGTH - 2, "lower_bound": LENGTH - 2},
        {"state": "lost"},
        {"transform": "xyz"},
        {"board": b""},
    ],
)
def test_damaged_job_fails_with_a_message(service, values):
    job = solve_job(service)
    update_row(service, job_, **values)
    view = service.read.view(job.id)
    assert (view.state, view.message.code) == (JobState.FAILED, "record-damaged")
    assert (view.lower_bound, view.upper_bound) == (0, None)
    assert service.read.solution(job.id) is None
    assert [job.id for job in service.read.list_jobs(service.client)] == [job.id]
    check_solved_again(service)


def test_audit_finds_damage_in_rows_that_no_request_reads(service):
    solve_job(service)
    audit = Audit(service.database, service.settings)
    checked = audit().checked
    assert {name: count for name, count in checked.items() if count} == {"solve": 1, "job": 1}
    update_row(service, solve, lower_bound=LENGTH - 2, upper_bound=LENGTH - 2)
    update_row(service, job_, state="running")
    progress = []
    for _ in range(2):
        report = audit(on_progress=lambda *page: progress.append(page))
        assert (report.damaged, [row.table for row in report.listed]) == (2, ["solve", "job"])
    assert progress[0] == ("solve", 1, 1)
    assert read_damaged_rows(service) == []
    # The job is repaired together with its solve.
    assert audit(reset=True).damaged == 1
    assert len(read_damaged_rows(service)) == 2
    assert audit().damaged == 0
    check_solved_again(service)


def test_audit_repairs_callbacks(service):
    with service.database.writing() as session:
        session.tasks.add_call("a job", service.client, "https://example.com/", service.clock())
    update_row(service, task, attempts="many")
    audit = Audit(service.database, service.settings)
    assert [row.table for row in audit(reset=True).listed] == ["callback"]
    assert audit().damaged == 0
    with service.database.reading() as session:
        assert session.tasks.due_callbacks(service.clock())


def test_only_the_last_damaged_rows_are_stored(service, monkeypatch):
    monkeypatch.setattr(damage, "MAX_KEPT", 2)
    for _ in range(4):
        solve_job(service)
        update_row(service, solve, lower_bound=1)
    service.request(BOARD)
    first, last = read_damaged_rows(service)
    assert service.read.statistics().set_aside == last.number == first.number + 1


def prove_bound(lower_bound):
    def search(board, goal, limits):
        return replace(solve_bounded(board, goal, limits), lower_bound=lower_bound)

    return search


def test_solution_refutes_a_wrong_bound(service):
    service.solver.solve_scripts.append(prove_bound(LENGTH + 1))
    job = service.request(BOARD)
    service.work("interactive")
    assert service.read.view(job.id).lower_bound == LENGTH + 1
    # The search finds a solution that is shorter than this bound.
    service.solver.search_scripts.append(search_whole_tree)
    service.work()
    [row] = read_damaged_rows(service)
    assert (row.of_table, "contradicts the proven lower bound" in row.reason) == ("solve", True)
    view = service.read.view(job.id)
    assert (view.state, view.lower_bound, view.upper_bound) == SOLVED
    check_solved_again(service)


def test_only_a_result_that_contradicts_proven_bounds_is_retried(service):
    service.solver.solve_scripts += [prove_bound(LENGTH + 20), solve_optimally, solve_optimally]
    jobs = [service.request(board) for board in (BOARD, OTHER)]
    service.work("interactive")
    for job in jobs:
        view = service.read.view(job.id)
        assert (view.state, view.lower_bound == view.upper_bound) == ("optimal", True)
    # Other boards in the same transaction were not solved again.
    assert len(service.solver.targets) == 3
    assert read_damaged_rows(service) == []


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
