"""How the slices of one search are shared: who goes on, who gets parts, and who makes way."""

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
from tilework.core.solver.strategy import LEAST_ORDERED_NODES

WHOLE = SliceOutcome(500, LENGTH, None, (), "tables")
ORDERED = SliceOutcome(7, None, None, (Piece(b"all:0.9", 0.9),), "tables")
OTHER = Board([1, 2, 3, 0, 4, 5], 3, 2)


def finish(house, piece, outcome, holder=None, **end):
    return house.settle(search_end(piece, outcome, **end), holder)


def parts(*shares):
    pieces = tuple(Piece(b"part:%f" % share, share) for share in shares)
    return SliceOutcome(500, LENGTH, None, pieces, "tables")


def lease(house):
    return Holder("w", house.clock() + 15)


def proof(house, job):
    with house.database.reading() as session:
        return proof_of(session, session.jobs.solve_of(job.id))


def test_a_worker_goes_on_with_what_remains_under_a_lease(house):
    job = searching_job(house)
    ended = finish(house, house.take(), parts(0.5, 0.25), lease(house))
    assert len(ended.fresh) == 1
    assert ended.onward.share == 0.5
    assert house.slices_of(job) == {SliceState.LEASED: 1, SliceState.READY: 1}
    house.lose_leases()
    assert house.slices_of(job) == {SliceState.READY: 2}


def test_what_remains_waits_where_another_search_comes_first(house):
    searching_job(house)
    claim = house.take()
    house.solver.openings.append(bounded)
    other = house.ask(Board([5, 2, 3, 1, 4, 0], 3, 2), client=house.clients.new())
    house.work("interactive")
    assert house.read.view(other.id).queue is Queue.SEARCH
    ended = finish(house, claim, parts(0.5), lease(house), seconds=100.0)
    while ended.onward is not None:
        # One who was alone owes nothing yet.
        ended = finish(house, ended.onward, parts(0.4), lease(house), seconds=100.0)
    assert len(ended.fresh) == 1
    assert house.take().solve_id == house.solve_of(other).id


def test_a_long_threshold_begins_in_pieces_where_the_farm_is_short_of_them(house):
    job = searching_job(house)
    ended = finish(house, house.take(), WHOLE, seconds=10.0, short=3)
    assert len(ended.fresh) == house.pass_checks() + 4
    assert house.read.view(job.id).lower_bound == LENGTH
    beyond = SliceOutcome(500, LENGTH + 2, None, (), "tables")
    for _ in range(4):
        finish(house, house.take(), beyond)
    house.pass_checks()
    # The root that was cut is in the proof.
    first, root, *pieces = proof(house, job)
    assert (first.threshold, first.engine) == (LENGTH - 2, "tables")
    assert (root.parent_id, root.nodes, root.engine) == (None, 0, None)
    assert [piece.parent_id for piece in pieces] == [root.id] * 4
    assert {one.threshold for one in (root, *pieces)} == {LENGTH}


def test_a_short_threshold_begins_whole(house):
    searching_job(house)
    ended = finish(house, house.take(), WHOLE, seconds=0.05 / SURE_GROWTH, short=3)
    assert len(ended.fresh) == house.pass_checks() + 1


def test_a_worker_splits_what_remains_and_goes_on_slice_after_slice(house):
    job = searching_job(house)
    house.solver.runnings.append(in_parts(0.9, nodes=10**8))
    house.worker().serve("search", "w", lambda: bool(house.solver.searched))
    assert house.slices_of(job)[SliceState.READY] > 1
    house.solver.runnings.extend([in_parts(0.1), in_parts(0.05), searched])
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL


def until_told(told):
    """A slice that runs until it is told to stop, and then leaves most of its tree."""

    def search(board, goal, threshold, cursor, stop):
        while not stop():
            time.sleep(0.01)
        told.append(True)
        return in_parts(0.9, nodes=10**8)(board, goal, threshold, cursor, stop)

    return search


@pytest.fixture
def patient(make_house):
    """Services whose slices last for hours where nothing ends them."""
    return make_house(search_slice_s=10_000.0, search_slice_most_s=10_000.0)


def test_a_running_slice_ends_early_for_a_worker_that_has_nothing(patient):
    for name in ("w", "idle"):
        Presence(patient.database, name).tell()
    job = searching_job(patient)
    told = []
    patient.solver.runnings.append(until_told(told))
    patient.worker().serve("search", "w", lambda: bool(told))
    assert patient.slices_of(job)[SliceState.READY] > 1


def test_a_running_slice_makes_way_for_short_work(patient):
    Presence(patient.database, "w").tell()
    job = searching_job(patient)
    told = []

    def search(*facts):
        patient.ask(OTHER)
        return until_told(told)(*facts)

    patient.solver.runnings.append(search)
    report = patient.worker().serve("search", "w", lambda: False)
    assert (report.done, report.more) == (1, True)
    assert patient.slices_of(job) == {SliceState.READY: 1}


def test_a_tree_in_order_is_searched_in_its_place_and_proves_as_much(house):
    job = searching_job(house)
    house.solver.orders.append(ORDERED)
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL
    pieces = [cursor for threshold, cursor in house.solver.searched if threshold == LENGTH - 2]
    assert {cursor[:3] for cursor in pieces} == {b"all"}
    first, *others = [one for one in proof(house, job) if one.threshold == LENGTH - 2]
    assert (first.parent_id, first.nodes) == (None, ORDERED.nodes)
    assert [one.parent_id for one in others] == [first.id] * len(pieces)


@pytest.mark.parametrize(("nodes", "workers", "parts"), [(1, 2, 1), (1, 8, 4), (0.1, 2, 4)])
def test_who_has_the_root_of_a_long_threshold_gets_all_of_it(house, nodes, workers, parts):
    job = searching_job(house)
    # As many times more are likely under the next threshold.
    outcome = SliceOutcome(int(nodes * LEAST_ORDERED_NODES), LENGTH, None, (), "tables")
    finish(house, house.take(), outcome, seconds=5.0, short=3, workers=workers)
    assert house.slices_of(job)[SliceState.READY] == parts + 1, "with the check of the one before"
