"""What is kept of a search as the proof of its lower bound."""

from __future__ import annotations

from dataclasses import replace

from tests.support.services.staging import proof_of
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.farm.course import Course
from tilework.core.services.farm.records import Found, Slice
from tilework.core.services.ids import new_id
from tilework.core.services.jobs.intake import prepare
from tilework.core.services.leases import Holder
from tilework.core.services.states import Queue, SliceKind, SliceState, SolveState
from tilework.core.solver.target import Target

PUZZLE = prepare(Board([4, 1, 2, 5, 0, 3], 3, 2), blank_last(Size(3, 2))).puzzle


def searched(session, solve, threshold, *, parent=None, cursor=b"c", **found):
    """Insert a slice of a solve and mark it done."""
    piece = Slice(
        id=new_id(),
        solve_id=solve.id,
        epoch=solve.epoch,
        kind=SliceKind.SEARCH,
        queue=Queue.SEARCH,
        state=SliceState.LEASED,
        threshold=threshold,
        cursor=cursor,
        course=Course("auto", "auto"),
        target=Target(),
        share=1.0,
        turn=1.0,
        parent_id=parent,
        attempts=1,
        owner="w",
    )
    session.slices.add([piece], 1.0, Holder("w", 10.0))
    if found:
        assert session.slices.finish(piece.lease, Found(**found), 2.0)
    return piece.id


def test_proof_is_what_is_done_under_the_lower_bound(database):
    with database.writing() as session:
        solve = session.solves.obtain(new_id(), PUZZLE, 4, 0.0)
        first = searched(session, solve, 6, nodes=5, next_threshold=8, engine="e", seconds=0.5)
        rest = searched(session, solve, 6, parent=first, cursor=b"r", nodes=7, engine="e")
        searched(session, solve, 8, nodes=9, next_threshold=10, engine="e")
        searched(session, solve, 6)
        session.solves.save(replace(solve, lower_bound=8), 1.0)
    with database.reading() as session:
        one, other = proof_of(session, solve.id)
    assert (one.id, one.parent_id, one.threshold, one.cursor) == (first, None, 6, b"c")
    assert (one.nodes, one.next_threshold, one.engine, one.seconds) == (5, 8, "e", 0.5)
    assert (other.id, other.parent_id, other.next_threshold) == (rest, first, None)


def test_proof_is_of_the_present_epoch(database):
    with database.writing() as session:
        solve = session.solves.obtain(new_id(), PUZZLE, 4, 0.0)
        searched(session, solve, 6, nodes=1, engine="old")
        later = replace(solve, epoch=3, lower_bound=8)
        fresh = searched(session, later, 6, nodes=2, engine="new")
        session.solves.save(later, 1.0)
        assert [one.id for one in proof_of(session, solve.id)] == [fresh]
        settled = replace(later, epoch=4, upper_bound=8, state=SolveState.SETTLED)
        session.solves.save(settled, 1.0)
        assert [one.id for one in proof_of(session, solve.id)] == [fresh]


def test_proof_comes_in_pages(database):
    with database.writing() as session:
        solve = session.solves.obtain(new_id(), PUZZLE, 4, 0.0)
        session.solves.save(replace(solve, lower_bound=20), 1.0)
        ids = [searched(session, solve, threshold, nodes=1) for threshold in (4, 4, 6, 6, 6)]
        found, after = [], ""
        while page := session.proofs.page(solve.id, 0, 6, after, 2):
            assert len(page) <= 2
            found.extend(one.id for one in page)
            after = page[-1].id
        assert found == ids[2:]
        assert session.proofs.last_threshold(solve.id, 0, 20) == 6
        assert session.proofs.last_threshold(solve.id, 0, 6) == 4
        assert session.proofs.last_threshold(solve.id, 0, 4) is None


def test_a_search_can_be_forgotten_from_a_threshold_on(database):
    with database.writing() as session:
        solve = session.solves.obtain(new_id(), PUZZLE, 4, 0.0)
        session.solves.save(replace(solve, lower_bound=20), 1.0)
        kept = searched(session, solve, 4, nodes=1)
        searched(session, solve, 6, nodes=1)
        session.slices.forget(solve.id, 6)
        assert [one.id for one in proof_of(session, solve.id)] == [kept]
        session.slices.forget(solve.id)
        assert proof_of(session, solve.id) == []
