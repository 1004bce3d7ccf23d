"""Actions between a read and its write: only the owner of a lease can change its work."""

import threading
from dataclasses import replace

import pytest
from sqlalchemy import text

from tests.support.services.fakes import HookedStorage
from tests.support.services.scripted_solver import (
    BOARD,
    CHECK_NODES,
    LENGTH,
    OTHER,
    make_searched_event,
    read_proof_records,
    shortest_solution,
    solve_optimally,
    start_search,
)
from tests.support.waiting import wait_until
from tilework.core.model.farm.changes import Applied
from tilework.core.model.farm.workload import HEARTBEAT_INTERVAL_S
from tilework.core.model.states import JobState, Queue, SliceState, SolveState
from tilework.core.services.farm import lease_renewer
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.farm.state_machine.events import LeaseLost
from tilework.core.services.jobs.jobs import JobService
from tilework.core.services.reconciler import Reconciler
from tilework.core.solver.result import SliceOutcome, WorkUnit

FULL_OUTCOME = SliceOutcome(700, LENGTH, None, (), "tables")
HALF_OUTCOME = SliceOutcome(700, LENGTH, None, (WorkUnit(b"rest:0.5", 0.5),), "tables")

# SQLite has one writer at a time.
on_postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)


def reconcile_with(service, action):
    """Reclaim expired leases, and call the action between the read and the write."""
    storage = HookedStorage(service.database, action)
    Reconciler(storage, service.tickets).run_once()


@pytest.mark.parametrize("outcome", [FULL_OUTCOME, HALF_OUTCOME], ids=["nothing left", "half left"])
def test_slice_that_ends_while_its_lease_is_revoked_is_searched_once(service, outcome):
    job = start_search(service)
    slice_ = service.lease_slice("slow")
    service.clock.advance(service.settings.lease_s + 1)
    changes = []
    event = make_searched_event(slice_, outcome)
    reconcile_with(service, lambda: changes.append(service.apply_event(event)))
    assert [change.is_applied for change in changes] == [True]
    assert service.read_solve(job).nodes == 50 + 700
    service.complete_checks()
    assert service.count_slices(job) == {SliceState.READY: 1}
    while service.read.view(job.id).state is JobState.RUNNING:
        assert service.work("search")
    with service.database.reading() as session:
        trees = read_proof_records(session, job.solve_id)
    assert len({tree.id for tree in trees}) == len(trees)
    # The nodes of the initial search, of the proof, of the slice that found the solution, and of
    # the checks.
    proof_nodes = sum(tree.nodes for tree in trees)
    check_nodes = len(service.solver.checked_records) * CHECK_NODES
    assert service.read.view(job.id).nodes == 50 + proof_nodes + 1_000 + check_nodes


@pytest.mark.parametrize("next_owner", ["quick", "slow"])
def test_lease_is_revoked_once_and_the_slice_belongs_to_its_next_owner(service, next_owner):
    job = start_search(service)
    slow_slice = service.lease_slice("slow")
    service.clock.advance(service.settings.lease_s + 1)
    slices = []

    def interfere():
        service.reconcile.run_once()
        slices.append(service.lease_slice(next_owner))

    reconcile_with(service, interfere)
    assert service.count_slices(job) == {SliceState.LEASED: 1}
    assert not service.apply_event(LeaseLost(slow_slice)).is_applied
    assert service.apply_event(make_searched_event(slow_slice, HALF_OUTCOME)) == Applied()
    assert service.count_slices(job) == {SliceState.LEASED: 1}
    assert service.apply_event(make_searched_event(slices[0], HALF_OUTCOME)).is_applied
    assert service.read_solve(job).nodes == 50 + 700


def test_new_lease_differs_from_an_older_one_after_parking(service):
    """Parking resets the attempts; the owner still distinguishes the leases."""
    job = start_search(service)
    old_slice = service.lease_slice("old")
    service.clock.advance(service.settings.lease_s + 1)
    service.cancel(job.id, service.client)
    service.reconcile.run_once()
    assert service.count_slices(job) == {SliceState.PARKED: 1}
    second_job = service.request(BOARD)
    new_slice = service.lease_slice("new")
    assert (new_slice.id, new_slice.attempts) == (old_slice.id, old_slice.attempts)
    assert not service.apply_event(make_searched_event(old_slice, FULL_OUTCOME)).is_applied
    assert service.count_slices(second_job) == {SliceState.LEASED: 1}


def test_cancelling_a_job_that_is_being_solved_changes_nothing(service):
    job = service.request(BOARD)
    service.solver.solve_scripts.append(solve_optimally)
    storage = HookedStorage(service.database, lambda: service.work("interactive"))
    view = JobService(storage, service.tickets).cancel(job.id, service.client)
    length = len(shortest_solution(BOARD, view.goal))
    assert (view.state, view.upper_bound) == (JobState.OPTIMAL, length)


def test_job_submitted_while_the_search_is_parked_resumes_it(service):
    job = start_search(service)
    later_jobs = []
    storage = HookedStorage(service.database, lambda: later_jobs.append(service.request(BOARD)))
    JobService(storage, service.tickets).cancel(job.id, service.client)
    assert service.count_slices(job) == {SliceState.READY: 1}
    service.work("search")
    assert service.read.view(later_jobs[0].id).state is JobState.OPTIMAL


def test_deadline_of_a_job_does_not_end_another(service):
    job = service.request(BOARD, seconds=5)
    service.clock.advance(6)
    other_jobs = []

    def interfere():
        service.work("interactive")
        other_jobs.append(service.request(BOARD, seconds=5))

    reconcile_with(service, interfere)
    assert service.read.view(job.id).state is JobState.OPTIMAL
    assert service.read.view(other_jobs[0].id).state is JobState.OPTIMAL
    assert service.read_solve(job).state is SolveState.SETTLED


def test_released_slice_cannot_be_ended_by_its_former_owner(service):
    job = start_search(service)
    slice_ = service.lease_slice("w")
    with service.database.writing() as session:
        session.slices.release([slice_.lease], service.clock())
    assert not service.apply_event(make_searched_event(slice_, FULL_OUTCOME)).is_applied
    with service.database.reading() as session:
        assert session.slices.count_ready(Queue.SEARCH) == 1
    assert service.read_solve(job).nodes == 50


def test_lease_renewed_while_being_revoked_is_kept(service):
    job = start_search(service)
    slice_ = service.lease_slice("slow")
    service.clock.advance(service.settings.lease_s + 1)

    def renew():
        with service.database.writing() as session:
            session.slices.renew([slice_.lease], service.clock() + service.settings.lease_s)

    reconcile_with(service, renew)
    assert service.count_slices(job) == {SliceState.LEASED: 1}
    assert service.apply_event(make_searched_event(slice_, HALF_OUTCOME)).is_applied


@on_postgresql
def test_renewing_does_not_wait_for_a_slice_that_ends(service):
    """Workers once deadlocked: they finished slices in one order and renewed them in another."""
    start_search(service)
    slice_ = service.lease_slice("w")

    def renew():
        with service.database.writing() as session:
            session.slices.renew([slice_.lease], service.clock() + service.settings.lease_s)

    with service.database.writing() as session:
        session.slices.release([slice_.lease], service.clock())
        thread = threading.Thread(target=renew, daemon=True)
        thread.start()
        thread.join(60.0)
        assert not thread.is_alive()
    with service.database.reading() as session:
        assert session.slices.count_ready(Queue.SEARCH) == 1


@on_postgresql
def test_starting_clocks_does_not_wait_for_jobs_that_are_changing(service):
    """Otherwise it deadlocks with a worker that ends jobs in another order."""
    worker = Heartbeat(service.database, "w", service.clock)
    worker.report_preparing(12)
    jobs = [service.request(board, seconds=5) for board in (BOARD, OTHER)]
    with service.database.writing() as session:
        session.jobs.start([jobs[0].id], service.clock())
        thread = threading.Thread(target=worker.report_ready, daemon=True)
        thread.start()
        thread.join(60.0)
        assert not thread.is_alive()
    service.clock.advance(HEARTBEAT_INTERVAL_S)
    worker.beat()
    service.advance_time(3)
    assert [service.read.view(job.id).finished for job in jobs] == [False, True]
    service.advance_time(3)
    assert service.read.view(jobs[0].id).finished


@on_postgresql
def test_deadlines_are_extended_after_the_event_that_is_being_stored(service, monkeypatch):
    monkeypatch.setattr(lease_renewer, "load_wait_s", lambda: 4.0)
    jobs = [service.request(BOARD, seconds=5) for _ in range(2)]

    def is_waiting():
        query = (
            "SELECT 1 FROM pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        with service.database.engine(writes=False).connect() as connection:
            return connection.execute(text(query)).first()

    extend = service.worker()._renewer._extend_deadlines
    with service.database.writing() as session:
        session.solves.lock(jobs[0].solve_id)
        session.jobs.start([jobs[1].id], service.clock())
        thread = threading.Thread(target=extend, args=[jobs[0].solve_id])
        thread.start()
        wait_until(is_waiting)
        session.jobs.start([jobs[0].id], service.clock())
    thread.join()
    service.advance_time(8)
    assert not any(service.read.view(job.id).finished for job in jobs)


def test_slices_of_an_earlier_epoch_are_deleted(service):
    job = start_search(service)
    slice_ = service.lease_slice("slow")
    with service.database.writing() as session:
        solve = session.solves.lock(slice_.solve_id)
        session.solves.save(replace(solve, epoch=solve.epoch + 1), service.clock())
    service.clock.advance(service.settings.lease_s + 1)
    service.reconcile.run_once()
    with service.database.reading() as session:
        assert session.slices.expired(service.clock()) == []
    service.reconcile.run_once()
    assert service.count_slices(job) == {SliceState.READY: 1}
