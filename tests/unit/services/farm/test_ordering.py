"""A long threshold begins with whoever puts its tree in order; others get halves of that."""

from __future__ import annotations

import pytest

from tests.support.services.staging import LENGTH, proof_of, search_end, searched, searching_job
from tilework.core.services.farm.presence import Presence
from tilework.core.services.states import JobState, Queue, SliceState
from tilework.core.solver.piece import Piece, SliceOutcome
from tilework.core.solver.strategy import LEAST_ORDERED_NODES

ORDERED = SliceOutcome(7, None, None, (Piece(b"all:0.9", 0.9),), "tables")


def test_what_is_searched_is_the_tree_in_order_and_proves_as_much(house):
    job = searching_job(house)
    house.solver.orders.append(ORDERED)
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL
    pieces = [cursor for threshold, cursor in house.solver.searched if threshold == LENGTH - 2]
    assert {cursor[:3] for cursor in pieces} == {b"all"}
    with house.database.reading() as session:
        proof = proof_of(session, session.jobs.solve_of(job.id))
    first, *others = [one for one in proof if one.threshold == LENGTH - 2]
    assert (first.parent_id, first.nodes) == (None, ORDERED.nodes)
    assert [one.parent_id for one in others] == [first.id] * len(pieces)


@pytest.mark.parametrize(("nodes", "workers", "parts"), [(1, 2, 1), (1, 8, 4), (0.1, 2, 4)])
def test_who_has_the_root_of_a_long_threshold_gets_all_of_it(house, nodes, workers, parts):
    job = searching_job(house)
    # As many times more are likely under the next threshold.
    outcome = SliceOutcome(int(nodes * LEAST_ORDERED_NODES), LENGTH, None, (), "tables")
    event = search_end(house.take(), outcome, seconds=5.0, short=3, workers=workers)
    house.settle(event, None)
    waiting = house.slices_of(job)[SliceState.READY]
    assert waiting == parts + 1, "with the check of the threshold before"


def test_only_a_whole_tree_is_put_in_order(house):
    searching_job(house)

    def half(board, goal, threshold, cursor, stop):
        return SliceOutcome(5, None, None, (Piece(b"rest:0.5", 0.5),), "scripted")

    house.solver.runnings.extend([half, searched])
    house.solver.orders.extend([None, ORDERED])
    worker = house.worker()
    worker.serve("search", "w", lambda: len(house.solver.searched) == 2)
    assert list(house.solver.orders) == [ORDERED]


def test_those_who_wait_get_parts_of_the_order(house):
    searching_job(house)
    house.solver.orders.append(ORDERED)
    for name in ("idle", "idler"):
        Presence(house.database, name).tell()
    worker = house.worker()
    worker.serve("search", "w", lambda: not house.solver.orders)
    with house.database.reading() as session:
        waiting = [one.slice for one in session.slices.next(Queue.SEARCH, 9)]
    assert len(waiting) > 1
    assert {one.cursor[:3] for one in waiting} == {b"all"}
