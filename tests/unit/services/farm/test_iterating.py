from __future__ import annotations

import time

import pytest

from tests.support.services.staging import (
    LENGTH,
    bounded,
    in_parts,
    proof_of,
    search_end,
    searched,
    searching_job,
)
from tilework.core.puzzle.board import Board
from tilework.core.services.farm.life.proof_pace import SURE_GROWTH
from tilework.core.services.farm.presence import Presence
from tilework.core.services.leases import Holder
from tilework.core.services.states import JobState, Queue, SliceState
from tilework.core.solver.piece import Piece, SliceOutcome

OTHER = Board([1, 2, 3, 0, 4, 5], 3, 2)


def finish(house, piece, outcome, holder=None, **end):
    return house.settle(search_end(piece, outcome, **end), holder)


def parts(*shares):
    pieces = tuple(Piece(b"part:%f" % share, share) for share in shares)
    return SliceOutcome(500, LENGTH, None, pieces, "tables")


def proof(house, job):
    with house.database.reading() as session:
        return proof_of(session, session.jobs.solve_of(job.id))


def test_a_worker_goes_on_with_what_remains_under_a_lease(house):
    job = searching_job(house)
    lease = Holder("w", house.clock() + 15)
    ended = finish(house, house.take(), parts(0.5, 0.25), lease)
    assert len(ended.fresh) == 1
    assert ended.onward.share == 0.5
    assert house.slices_of(job) == {SliceState.LEASED: 1, SliceState.READY: 1}
    house.clock.turn(house.settings.lease_s + 1)
    house.reconcile.run_once()
    assert house.slices_of(job) == {SliceState.READY: 2}


def test_what_remains_waits_where_another_search_comes_first(house):
    searching_job(house)
    claim = house.take()
    house.solver.openings.append(bounded)
    other = house.ask(Board([5, 2, 3, 1, 4, 0], 3, 2), client=house.clients.new())
    house.work("interactive")
    assert house.read.view(other.id).queue is Queue.SEARCH
    lease = Holder("w", house.clock() + 15)
    ended = finish(house, claim, parts(0.5), lease, seconds=100.0)
    while ended.onward is not None:
        # One who was alone owes nothing yet.
        ended = finish(house, ended.onward, parts(0.4), lease, seconds=100.0)
    assert len(ended.fresh) == 1
    assert house.take().solve_id == house.solve_of(other).id


def test_nobody_goes_on_with_what_nobody_wants(house):
    job = searching_job(house)
    claim = house.take()
    house.cancel(job.id, house.client)
    ended = finish(house, claim, parts(0.5), Holder("w", house.clock() + 15))
    assert (ended.fresh, ended.onward) == ((), None)
    assert house.slices_of(job) == {SliceState.PARKED: 1}


def test_a_threshold_begins_in_pieces_where_the_farm_is_short_of_them(house):
    job = searching_job(house)
    whole = SliceOutcome(500, LENGTH, None, (), "tables")
    ended = finish(house, house.take(), whole, seconds=10.0, short=3)
    checks = house.pass_checks()
    assert len(ended.fresh) == checks + 4
    assert house.read.view(job.id).lower_bound == LENGTH
    first, second = house.take(), house.take()
    assert first.parent_id == second.parent_id is not None
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_the_root_of_a_threshold_begun_in_pieces_is_in_the_proof(house):
    job = searching_job(house)
    nothing = SliceOutcome(500, LENGTH, None, (), "tables")
    finish(house, house.take(), nothing, seconds=10.0, short=1)
    house.pass_checks()
    beyond = SliceOutcome(500, LENGTH + 2, None, (), "tables")
    finish(house, house.take(), beyond)
    finish(house, house.take(), beyond)
    house.pass_checks()
    first, root, *pieces = proof(house, job)
    assert (first.threshold, first.engine) == (LENGTH - 2, "tables")
    assert (root.parent_id, root.nodes, root.engine) == (None, 0, None)
    assert [piece.parent_id for piece in pieces] == [root.id] * 2
    assert {one.threshold for one in (root, *pieces)} == {LENGTH}


def test_a_short_threshold_begins_whole(house):
    searching_job(house)
    whole = SliceOutcome(500, LENGTH, None, (), "tables")
    ended = finish(house, house.take(), whole, seconds=0.05 / SURE_GROWTH, short=3)
    assert len(ended.fresh) == house.pass_checks() + 1


def until_told(told):
    """A slice that runs until it is told to stop, and then leaves most of its tree."""

    def search(board, goal, threshold, cursor, stop):
        end = time.monotonic() + 30
        while not stop() and time.monotonic() < end:
            time.sleep(0.01)
        told.append(time.monotonic() < end)
        return in_parts(0.9, nodes=10**8)(board, goal, threshold, cursor, stop)

    return search


@pytest.fixture
def lively(make_house):
    house = make_house(search_slice_s=100.0, search_slice_most_s=100.0)
    house.clock.going = True
    return house


def test_a_running_slice_ends_early_for_a_worker_that_has_nothing(lively):
    for name in ("w", "idle"):
        Presence(lively.database, name).tell()
    job = searching_job(lively)
    told = []
    lively.solver.runnings.append(until_told(told))
    lively.worker().serve("search", "w", lambda: bool(told))
    assert told == [True]
    assert lively.slices_of(job)[SliceState.READY] > 1


def test_a_running_slice_makes_way_for_short_work(lively):
    Presence(lively.database, "w").tell()
    job = searching_job(lively)
    told = []

    def search(*facts):
        lively.ask(OTHER)
        return until_told(told)(*facts)

    lively.solver.runnings.append(search)
    report = lively.worker().serve("search", "w", lambda: False)
    assert told == [True]
    assert (report.done, report.more) == (1, True)
    assert lively.slices_of(job) == {SliceState.READY: 1}


def test_a_worker_goes_on_slice_after_slice(house):
    job = searching_job(house)
    house.solver.runnings.extend([in_parts(0.5), in_parts(0.2), searched])
    # The last of them is a check.
    assert house.work("search") == 5
    assert house.read.view(job.id).state is JobState.OPTIMAL
