import time

import pytest
from sqlalchemy import update

from tests.support.services.scripted_solver import (
    BOARD,
    GOAL,
    LENGTH,
    leave_parts,
    make_searched_event,
    read_proof_records,
    shortest_solution,
    start_search,
)
from tilework.core.messages import untranslated
from tilework.core.model.leases import Holder
from tilework.core.model.states import JobState, SliceKind, SliceState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.farm.searcher import failure_message
from tilework.core.services.farm.state_machine.events import SliceFailed
from tilework.core.services.farm.state_machine.proof_pace import MIN_GROWTH
from tilework.core.solver.strategy import MIN_ORDERED_NODES
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit
from tilework.core.storage.models import slice_

WHOLE = SliceOutcome(500, LENGTH, None, (), "tables")
OTHER = Board([1, 2, 3, 0, 4, 5], 3, 2)


def finish(service, slice_, outcome, holder=None, **end):
    return service.apply_event(make_searched_event(slice_, outcome, **end), holder)


def parts(*shares):
    units = tuple(WorkUnit(b"part:%f" % share, share) for share in shares)
    return SliceOutcome(500, LENGTH, None, units, "tables")


def lease(service):
    return Holder("w", service.clock() + 15)


def proof(service, job):
    with service.database.reading() as session:
        return read_proof_records(session, job.solve_id)


def test_worker_continues_with_the_remainder_under_a_lease(service):
    job = start_search(service)
    ended = finish(service, service.lease_slice(), parts(0.5, 0.25), lease(service))
    assert len(ended.ready_queues) == 1
    assert ended.next_slice.share == 0.5
    assert service.count_slices(job) == {SliceState.LEASED: 1, SliceState.READY: 1}
    service.lose_leases()
    assert service.count_slices(job) == {SliceState.READY: 2}


def test_long_threshold_starts_split_if_the_farm_is_short_of_work(service):
    job = start_search(service)
    ended = finish(service, service.lease_slice(), WHOLE, seconds=10.0, short=3)
    assert len(ended.ready_queues) == service.complete_checks() + 4
    assert service.read.view(job.id).lower_bound == LENGTH
    beyond = SliceOutcome(500, LENGTH + 2, None, (), "tables")
    for _ in range(4):
        finish(service, service.lease_slice(), beyond)
    service.complete_checks()
    first, root, *units = proof(service, job)
    assert (first.threshold, first.engine) == (LENGTH - 2, "tables")
    assert (root.parent_id, root.nodes, root.engine) == (None, 0, None)
    assert [unit.parent_id for unit in units] == [root.id] * 4


def until_stopped(stops):
    """A slice that runs until it is stopped, and then leaves most of its tree."""

    def search(board, goal, threshold, cursor, stop):
        while not stop():
            time.sleep(0.01)
        stops.append(True)
        return leave_parts(0.9, nodes=10**8)(board, goal, threshold, cursor, stop)

    return search


def test_running_slice_ends_early_for_idle_workers_and_short_work(make_service):
    service = make_service(search_slice_s=10_000.0, search_slice_most_s=10_000.0)
    job = start_search(service)
    stops = []

    def submit_more(*facts):
        service.request(OTHER)
        return until_stopped(stops)(*facts)

    Heartbeat(service.database, "w").beat()
    service.solver.search_scripts.append(submit_more)
    report = service.worker().run("search", "w", lambda: False)
    assert (report.done, report.has_more) == (1, True)
    assert service.count_slices(job) == {SliceState.READY: 1}
    service.work("interactive")
    Heartbeat(service.database, "idle").beat()
    service.solver.search_scripts.append(until_stopped(stops))
    service.worker().run("search", "w", lambda: len(stops) == 2)
    assert service.count_slices(job)[SliceState.READY] > 1


@pytest.mark.parametrize(
    ("nodes", "workers", "seconds", "parts"),
    [
        (MIN_ORDERED_NODES, 2, 5.0, 1),
        (MIN_ORDERED_NODES, 8, 5.0, 4),
        (MIN_ORDERED_NODES // 10, 2, 5.0, 4),
        # A short threshold begins whole.
        (500, 2, 0.05 / MIN_GROWTH, 1),
    ],
)
def test_one_worker_gets_the_whole_root_of_a_long_threshold(
    service, nodes, workers, seconds, parts
):
    job = start_search(service)
    outcome = SliceOutcome(nodes, LENGTH, None, (), "tables")
    finish(service, service.lease_slice(), outcome, seconds=seconds, short=3, workers=workers)
    assert service.count_slices(job)[SliceState.READY] == parts + 1, (
        "with the check of the one before"
    )


def whole(service):
    """End the slice of the threshold below the length."""
    service.apply_event(
        make_searched_event(service.lease_slice(), SliceOutcome(500, LENGTH, None, (), "tables"))
    )


def test_bound_waits_for_the_check_but_the_search_continues(service):
    job = start_search(service)
    whole(service)
    check = service.lease_slice("checker")
    assert check.kind is SliceKind.CHECK
    service.work("search")
    view = service.read.view(job.id)
    # Its solution is the shortest, which is not proved yet.
    assert (view.state, view.lower_bound) == (JobState.RUNNING, LENGTH - 2)
    assert view.upper_bound == LENGTH
    assert service.count_slices(job) == {SliceState.LEASED: 1}
    service.lose_leases()
    service.work("search")
    view = service.read.view(job.id)
    assert (view.state, view.lower_bound) == (JobState.OPTIMAL, LENGTH)
    replay(BOARD, service.read.solution(job.id).moves, GOAL)


def test_wrong_record_is_searched_again(service, caplog):
    job = start_search(service)
    service.solver.check_scripts.append(untranslated("a slice has other nodes"))
    service.work("search")
    assert f"does not prove a bound of {LENGTH}: a slice has other nodes" in caplog.text
    assert [record.next for record in service.solver.checked_records] == [LENGTH] * 2
    thresholds = [threshold for threshold, _ in service.solver.searches]
    assert thresholds.count(LENGTH - 2) == 2
    view = service.read.view(job.id)
    assert (view.state, view.lower_bound) == (JobState.OPTIMAL, LENGTH)
    with service.database.reading() as session:
        proof = read_proof_records(session, job.solve_id)
    assert [slice_.threshold for slice_ in proof] == [LENGTH - 2]


@pytest.mark.parametrize(
    "damage",
    [{"next_threshold": LENGTH + 2}, {"next_threshold": None}, {"parent_id": "somebody's"}],
    ids=str,
)
def test_damaged_row_proves_nothing(service, damage):
    job = start_search(service)
    whole(service)
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(update(slice_).where(slice_.c.state == SliceState.DONE).values(damage))
    service.work("search")
    assert service.read.view(job.id).state is JobState.OPTIMAL
    # The damaged record did not reach the solver.
    assert [record.next for record in service.solver.checked_records] == [LENGTH]
    assert [threshold for threshold, _ in service.solver.searches].count(LENGTH - 2) == 1


def test_stopped_or_parked_check_is_done_later(service):
    job = start_search(service)
    whole(service)
    service.worker().run("search", "w", lambda: bool(service.solver.checked_records))
    assert service.read.view(job.id).lower_bound == LENGTH - 2
    assert service.count_slices(job) == {SliceState.READY: 2}
    service.cancel(job.id, service.client)
    assert service.count_slices(job) == {SliceState.PARKED: 2}
    repeated = service.request(BOARD)
    service.work("search")
    assert service.read.view(repeated.id).state is JobState.OPTIMAL


def test_job_ends_although_its_check_failed_before_the_solution(service):
    job = start_search(service)
    finish(service, service.lease_slice(), WHOLE)
    waiting = [service.lease_slice(), service.lease_slice()]
    [check] = [slice_ for slice_ in waiting if slice_.kind is SliceKind.CHECK]
    [tree] = [slice_ for slice_ in waiting if slice_.kind is SliceKind.SEARCH]
    service.apply_event(SliceFailed(check, failure_message(OSError("no process"))))
    service.apply_event(SliceFailed(service.lease_slice(), failure_message(OSError("no process"))))
    # The rest of a tree is not needed once a slice has found a solution.
    remaining = parts(0.5).remaining
    finish(
        service,
        tree,
        SliceOutcome(500, None, from_letters(shortest_solution(BOARD, GOAL)), remaining, "tables"),
    )
    view = service.read.view(job.id)
    assert (view.state, view.upper_bound) == (JobState.BOUNDED, LENGTH)
    assert "no process" in str(view.message)


def test_check_that_raises_leaves_the_bound_unproven(service):
    job = start_search(service)
    service.solver.check_scripts.extend([OSError("no process"), OSError("no process")])
    service.work("search")
    view = service.read.view(job.id)
    assert (view.state, view.upper_bound) == (JobState.BOUNDED, LENGTH)
    assert view.lower_bound == LENGTH - 2
    assert "no process" in str(view.message)
    service.clock.advance(3_601)
    repeated = service.request(BOARD)
    service.work()
    assert service.read.view(repeated.id).state is JobState.OPTIMAL
