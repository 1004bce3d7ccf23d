import time

import pytest
from sqlalchemy import update

from tests.support.services.scripted_solver import (
    BOARD,
    GOAL,
    LENGTH,
    OTHER,
    leave_parts,
    make_searched_event,
    read_proof_records,
    shortest_solution,
    start_search,
)
from tilework.core.messages import untranslated
from tilework.core.model.states import JobState, SliceKind, SliceState
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.farm.searcher import failure_message
from tilework.core.services.farm.state_machine.events import SliceFailed
from tilework.core.solver.result import SliceOutcome, WorkUnit
from tilework.core.storage.models import slice_

WHOLE_TREE = SliceOutcome(500, LENGTH, None, (), "tables")


def finish(service, slice_, outcome):
    service.apply_event(make_searched_event(slice_, outcome))


def search_until_stopped(stops):
    """Return a search that runs until it is stopped, and then leaves most of its tree."""

    def search(board, goal, threshold, cursor, stop):
        while not stop():
            time.sleep(0.01)
        stops.append(True)
        return leave_parts(0.9, nodes=10**8)(board, goal, threshold, cursor, stop)

    return search


def test_running_slice_ends_early_for_idle_workers_and_short_work(make_service):
    service = make_service(search_slice_s=10_000.0)
    job = start_search(service)
    stops = []

    def submit_and_search(*arguments):
        service.request(OTHER)
        return search_until_stopped(stops)(*arguments)

    Heartbeat(service.database, "w").beat()
    service.solver.search_scripts.append(submit_and_search)
    report = service.worker().run("search", "w", lambda: False)
    assert (report.done, report.has_more) == (1, True)
    assert service.count_slices(job) == {SliceState.READY: 1}
    service.work("interactive")
    Heartbeat(service.database, "idle").beat()
    service.solver.search_scripts.append(search_until_stopped(stops))
    service.worker().run("search", "w", lambda: len(stops) == 2)
    assert service.count_slices(job)[SliceState.READY] > 1


def test_bound_waits_for_the_check_but_the_search_continues(service):
    job = start_search(service)
    finish(service, service.lease_slice(), WHOLE_TREE)
    assert service.lease_slice("checker").kind is SliceKind.CHECK
    service.work("search")
    view = service.read.view(job.id)
    # The solution is the shortest, but that is not proved yet.
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
    assert [threshold for threshold, _ in service.solver.searches].count(LENGTH - 2) == 2
    iterations = service.read_solve(job).iterations
    assert [iteration.threshold for iteration in iterations] == [LENGTH - 2, LENGTH]
    view = service.read.view(job.id)
    assert (view.state, view.lower_bound) == (JobState.OPTIMAL, LENGTH)
    with service.database.reading() as session:
        proof = read_proof_records(session, job.solve_id)
    assert [slice_.threshold for slice_ in proof] == [LENGTH - 2]


@pytest.mark.parametrize(
    "damage",
    [{"next_threshold": LENGTH + 2}, {"next_threshold": None}, {"parent_id": "another"}],
    ids=str,
)
def test_damaged_row_proves_nothing(service, damage):
    job = start_search(service)
    finish(service, service.lease_slice(), WHOLE_TREE)
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(update(slice_).where(slice_.c.state == SliceState.DONE).values(damage))
    service.work("search")
    assert service.read.view(job.id).state is JobState.OPTIMAL
    # The damaged record was not given to the solver.
    assert service.solver.checked_records == []


def test_job_ends_if_its_check_failed_before_the_solution(service):
    job = start_search(service)
    finish(service, service.lease_slice(), WHOLE_TREE)
    slices = [service.lease_slice(), service.lease_slice()]
    [check] = [slice_ for slice_ in slices if slice_.kind is SliceKind.CHECK]
    [tree] = [slice_ for slice_ in slices if slice_.kind is SliceKind.SEARCH]
    service.apply_event(SliceFailed(check, failure_message(OSError("no process"))))
    service.apply_event(SliceFailed(service.lease_slice(), failure_message(OSError("no process"))))
    # The remaining units are not needed once a slice has found a solution.
    remaining = (WorkUnit(b"part:0.5", 0.5),)
    moves = from_letters(shortest_solution(BOARD, GOAL))
    finish(service, tree, SliceOutcome(500, None, moves, remaining, "tables"))
    view = service.read.view(job.id)
    assert (view.state, view.upper_bound) == (JobState.BOUNDED, LENGTH)
    assert "no process" in str(view.message)
