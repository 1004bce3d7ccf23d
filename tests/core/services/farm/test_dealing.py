"""A long threshold begins with whoever deals its tree out; its pieces are taken in that order."""

from __future__ import annotations

import pytest

from tests.core.services.staging import LENGTH, proof_of, search_end, searched, searching_job
from tilework.core.services.states import JobState, SliceState
from tilework.core.solver.piece import Piece, SliceOutcome
from tilework.core.solver.strategy import LEAST_DEALT_NODES

DEALT = SliceOutcome(
    7, None, None, tuple(Piece(name + b":0.25", 0.25) for name in (b"one", b"two", b"three")), "t"
)


def test_the_pieces_are_searched_in_their_order_and_proved_together(house):
    job = searching_job(house)
    house.solver.deals.append(DEALT)
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL
    pieces = [cursor for threshold, cursor in house.solver.searched if threshold == LENGTH - 2]
    assert pieces == [piece.cursor for piece in DEALT.remaining]
    with house.database.reading() as session:
        proof = proof_of(session, session.jobs.solve_of(job.id))
    first, *others = [one for one in proof if one.threshold == LENGTH - 2]
    assert (first.parent_id, first.nodes) == (None, DEALT.nodes)
    assert [one.parent_id for one in others] == [first.id] * 3


@pytest.mark.parametrize(("nodes", "workers", "parts"), [(1, 2, 1), (1, 8, 4), (0.1, 2, 4)])
def test_who_has_the_root_of_a_long_threshold_gets_all_of_it(house, nodes, workers, parts):
    job = searching_job(house)
    # As many times more are likely under the next threshold.
    outcome = SliceOutcome(int(nodes * LEAST_DEALT_NODES), LENGTH, None, (), "tables")
    event = search_end(house.take(), outcome, seconds=5.0, short=3, workers=workers)
    house.settle(event, None)
    waiting = house.slices_of(job)[SliceState.READY]
    assert waiting == parts + 1, "with the check of the threshold before"


def test_other_slices_are_never_dealt_out(house):
    searching_job(house)

    def half(board, goal, threshold, cursor, stop):
        return SliceOutcome(5, None, None, (Piece(b"rest:0.5", 0.5),), "scripted")

    house.solver.runnings.extend([half, searched])
    house.solver.deals.extend([None, DEALT])
    worker = house.worker()
    worker.serve("search", "w", lambda: len(house.solver.searched) == 2)
    assert list(house.solver.deals) == [DEALT]
