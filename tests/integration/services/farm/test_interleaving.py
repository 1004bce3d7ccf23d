"""A read and its write with something between: only who holds a lease changes what it covers."""

import threading
from dataclasses import replace

import pytest

from tests.support.services.props import BeforeWriting
from tests.support.services.staging import (
    BOARD,
    LENGTH,
    best,
    optimal,
    proof_of,
    search_end,
    searching_job,
)
from tilework.core.model.changes import Applied
from tilework.core.model.states import JobState, Queue, SliceState, SolveState
from tilework.core.services.farm.state_machine.events import LeaseLost
from tilework.core.services.jobs.cancel import CancelJob
from tilework.core.services.reconcile import Reconcile
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit

WHOLE = SliceOutcome(700, LENGTH, None, (), "tables")
HALF = SliceOutcome(700, LENGTH, None, (WorkUnit(b"rest:0.5", 0.5),), "tables")


def reconcile_with(house, happens):
    """Take back leases that ran out, while something happens between the read and the write."""
    storage = BeforeWriting(house.database, happens)
    Reconcile(storage, house.tickets, house.settings).run_once()


@pytest.mark.parametrize("outcome", [WHOLE, HALF], ids=["nothing left", "half left"])
def test_a_slice_that_ends_as_its_lease_is_taken_back_is_searched_once(house, outcome):
    job = searching_job(house)
    piece = house.take("slow")
    house.clock.turn(house.settings.lease_s + 1)
    ended = []
    reconcile_with(house, lambda: ended.append(house.settle(search_end(piece, outcome)).done))
    assert ended == [True]
    assert house.solve_of(job).nodes == 50 + 700
    house.pass_checks()
    assert house.slices_of(job) == {SliceState.READY: 1}
    while house.read.view(job.id).state is JobState.RUNNING:
        assert house.work("search")
    with house.database.reading() as session:
        trees = proof_of(session, job.solve_id)
    assert len({piece.id for piece in trees}) == len(trees)
    # The opening's nodes, those of the proof, and those of the slice that met the solution.
    proved = sum(piece.nodes for piece in trees)
    assert house.read.view(job.id).nodes == 50 + proved + 1_000


@pytest.mark.parametrize("next_owner", ["quick", "slow"])
def test_a_lease_is_taken_back_once_and_the_slice_is_of_who_claims_it_next(house, next_owner):
    job = searching_job(house)
    slow = house.take("slow")
    house.clock.turn(house.settings.lease_s + 1)
    claimed = []

    def meanwhile():
        house.reconcile.run_once()
        claimed.append(house.take(next_owner))

    reconcile_with(house, meanwhile)
    assert house.slices_of(job) == {SliceState.LEASED: 1}
    assert not house.settle(LeaseLost(slow)).done
    assert house.settle(search_end(slow, HALF)) == Applied()
    assert house.slices_of(job) == {SliceState.LEASED: 1}
    assert house.settle(search_end(claimed[0], HALF)).done
    assert house.solve_of(job).nodes == 50 + 700


def test_a_lease_is_not_taken_for_an_older_one_after_a_rest(house):
    """Attempts begin anew where work was parked: the owner still tells claims apart."""
    job = searching_job(house)
    old = house.take("old")
    house.clock.turn(house.settings.lease_s + 1)
    house.cancel(job.id, house.client)
    house.reconcile.run_once()
    assert house.slices_of(job) == {SliceState.PARKED: 1}
    again = house.ask(BOARD)
    new = house.take("new")
    assert (new.id, new.attempts) == (old.id, old.attempts)
    assert not house.settle(search_end(old, WHOLE)).done
    assert house.slices_of(again) == {SliceState.LEASED: 1}


def test_a_cancel_that_comes_as_the_answer_does_changes_nothing(house):
    job = house.ask(BOARD)
    house.solver.openings.append(optimal)
    storage = BeforeWriting(house.database, lambda: house.work("interactive"))
    done = CancelJob(storage, house.settings)(job.id, house.client)
    assert (done.state, done.upper_bound) == (JobState.OPTIMAL, len(best(BOARD, done.goal)))


def test_a_job_that_comes_as_the_search_is_parked_has_it_go_on(house):
    job = searching_job(house)
    later = []
    storage = BeforeWriting(house.database, lambda: later.append(house.ask(BOARD)))
    CancelJob(storage, house.settings)(job.id, house.client)
    assert house.slices_of(job) == {SliceState.READY: 1}
    house.work("search")
    assert house.read.view(later[0].id).state is JobState.OPTIMAL


def test_a_deadline_that_is_read_as_it_is_met_ends_nothing_else(house):
    job = house.ask(BOARD, seconds=5)
    house.clock.turn(6)
    other = []

    def meanwhile():
        house.work("interactive")
        other.append(house.ask(BOARD, seconds=5))

    reconcile_with(house, meanwhile)
    assert house.read.view(job.id).state is JobState.OPTIMAL
    assert house.read.view(other[0].id).state is JobState.OPTIMAL
    assert house.solve_of(job).state is SolveState.SETTLED


def test_what_was_given_back_is_not_ended_by_who_gave_it_back(house):
    job = searching_job(house)
    piece = house.take("w")
    with house.database.writing() as session:
        session.slices.release([piece.lease], house.clock())
    assert not house.settle(search_end(piece, WHOLE)).done
    with house.database.reading() as session:
        assert session.slices.ready(Queue.SEARCH) == 1
    assert house.solve_of(job).nodes == 50


def test_a_lease_that_is_renewed_as_it_is_taken_back_is_kept(house):
    job = searching_job(house)
    piece = house.take("slow")
    house.clock.turn(house.settings.lease_s + 1)

    def renew():
        with house.database.writing() as session:
            session.slices.renew([piece.lease], house.clock() + house.settings.lease_s)

    reconcile_with(house, renew)
    assert house.slices_of(job) == {SliceState.LEASED: 1}
    assert house.settle(search_end(piece, HALF)).done


def test_a_renewal_waits_for_nobody_who_ends_a_slice(house):
    """Who holds several slices ends them in one order and renews them in another: a deadlock."""
    if house.database.dialect == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    searching_job(house)
    piece = house.take("w")

    def renew():
        with house.database.writing() as session:
            session.slices.renew([piece.lease], house.clock() + house.settings.lease_s)

    with house.database.writing() as session:
        session.slices.release([piece.lease], house.clock())
        thread = threading.Thread(target=renew, daemon=True)
        thread.start()
        thread.join(60.0)
        assert not thread.is_alive()
    with house.database.reading() as session:
        assert session.slices.ready(Queue.SEARCH) == 1


def test_what_is_left_of_a_past_epoch_is_cleared_away(house):
    job = searching_job(house)
    piece = house.take("slow")
    with house.database.writing() as session:
        solve = session.solves.lock(piece.solve_id)
        session.solves.save(replace(solve, epoch=solve.epoch + 1), house.clock())
    house.clock.turn(house.settings.lease_s + 1)
    house.reconcile.run_once()
    with house.database.reading() as session:
        assert session.slices.expired(house.clock()) == []
    house.reconcile.run_once()
    assert house.slices_of(job) == {SliceState.READY: 1}
