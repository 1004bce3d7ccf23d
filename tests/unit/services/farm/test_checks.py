"""A bound that a search proves is stored once the record of that search was checked."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from tests.support.services.staging import (
    BOARD,
    GOAL,
    LENGTH,
    in_parts,
    proof_of,
    search_end,
    searching_job,
)
from tilework.core.messages import as_told
from tilework.core.puzzle.replay import replay
from tilework.core.services.states import JobState, SliceKind, SliceState
from tilework.core.solver.piece import SliceOutcome
from tilework.core.storage.models import slice_


def whole(house):
    """End the slice of the threshold under the length."""
    house.settle(search_end(house.take(), SliceOutcome(500, LENGTH, None, (), "tables")))


def test_the_bound_waits_for_the_check_and_the_search_does_not(house):
    job = searching_job(house)
    whole(house)
    check = house.take("checker")
    assert check.kind is SliceKind.CHECK
    house.work("search")
    view = house.read.view(job.id)
    # Its solution is the shortest there is, which nobody may say yet.
    assert (view.state, view.lower_bound) == (JobState.RUNNING, LENGTH - 2)
    assert view.upper_bound == LENGTH
    assert house.slices_of(job) == {SliceState.LEASED: 1}
    house.lose_leases()
    house.work("search")
    view = house.read.view(job.id)
    assert (view.state, view.lower_bound) == (JobState.OPTIMAL, LENGTH)
    replay(BOARD, house.read.solution(job.id).moves, GOAL)


def test_a_record_that_is_wrong_is_searched_again(house, caplog):
    job = searching_job(house)
    house.solver.checks.append(as_told("a slice has other nodes"))
    house.work("search")
    assert f"does not prove a bound of {LENGTH}: a slice has other nodes" in caplog.text
    assert [record.next for record in house.solver.checked] == [LENGTH] * 2
    thresholds = [threshold for threshold, _ in house.solver.searched]
    assert thresholds.count(LENGTH - 2) == 2
    view = house.read.view(job.id)
    assert (view.state, view.lower_bound) == (JobState.OPTIMAL, LENGTH)
    with house.database.reading() as session:
        proof = proof_of(session, session.jobs.solve_of(job.id))
    assert [one.threshold for one in proof] == [LENGTH - 2]


@pytest.mark.parametrize(
    "damage",
    [{"next_threshold": LENGTH + 2}, {"next_threshold": None}, {"parent_id": "somebody's"}],
    ids=str,
)
def test_a_row_that_was_damaged_proves_nothing(house, damage):
    job = searching_job(house)
    whole(house)
    with house.database.engine(writes=True).begin() as connection:
        connection.execute(update(slice_).where(slice_.c.state == SliceState.DONE).values(damage))
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL
    # The damaged record never came as far as the solver.
    assert [record.next for record in house.solver.checked] == [LENGTH]
    assert [threshold for threshold, _ in house.solver.searched].count(LENGTH - 2) == 1


def test_a_check_that_is_stopped_or_parked_is_done_later(house):
    job = searching_job(house)
    whole(house)
    house.worker().serve("search", "w", lambda: bool(house.solver.checked))
    assert house.read.view(job.id).lower_bound == LENGTH - 2
    assert house.slices_of(job) == {SliceState.READY: 2}
    house.cancel(job.id, house.client)
    assert house.slices_of(job) == {SliceState.PARKED: 2}
    again = house.ask(BOARD)
    house.work("search")
    assert house.read.view(again.id).state is JobState.OPTIMAL


def test_a_check_that_fails_to_run_leaves_the_bound_unproved(house):
    job = searching_job(house)
    house.solver.checks.extend([OSError("no process"), OSError("no process")])
    house.work("search")
    view = house.read.view(job.id)
    assert (view.state, view.upper_bound) == (JobState.BOUNDED, LENGTH)
    assert view.lower_bound == LENGTH - 2
    assert "no process" in str(view.message)
    house.clock.turn(3_601)
    again = house.ask(BOARD)
    house.work()
    assert house.read.view(again.id).state is JobState.OPTIMAL


def test_the_whole_record_is_checked(house):
    searching_job(house)
    house.solver.runnings.extend([in_parts(0.5, 0.25), in_parts(0.2)])
    house.work("search")
    [record] = house.solver.checked
    assert len(record.slices) == len({one.id for one in record.slices}) > 3
    assert sum(one.nodes for one in record.slices) == record.nodes
    assert [one.parent for one in record.slices].count(None) == 1
