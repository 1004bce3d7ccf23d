"""How the slices of one search are shared, and how the record of a search is checked."""

import time

import pytest
from sqlalchemy import update

from tests.support.services.staging import (
    BOARD,
    GOAL,
    LENGTH,
    best,
    in_parts,
    proof_of,
    search_end,
    searching_job,
)
from tilework.core.messages import untranslated
from tilework.core.model.leases import Holder
from tilework.core.model.states import JobState, SliceKind, SliceState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.farm.searcher import failure_of
from tilework.core.services.farm.state_machine.events import SliceFailed
from tilework.core.services.farm.state_machine.proof_pace import SURE_GROWTH
from tilework.core.solver.strategy import LEAST_ORDERED_NODES
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit
from tilework.core.storage.models import slice_

WHOLE = SliceOutcome(500, LENGTH, None, (), "tables")
OTHER = Board([1, 2, 3, 0, 4, 5], 3, 2)


def finish(house, piece, outcome, holder=None, **end):
    return house.settle(search_end(piece, outcome, **end), holder)


def parts(*shares):
    pieces = tuple(WorkUnit(b"part:%f" % share, share) for share in shares)
    return SliceOutcome(500, LENGTH, None, pieces, "tables")


def lease(house):
    return Holder("w", house.clock() + 15)


def proof(house, job):
    with house.database.reading() as session:
        return proof_of(session, job.solve_id)


def test_a_worker_goes_on_with_what_remains_under_a_lease(house):
    job = searching_job(house)
    ended = finish(house, house.take(), parts(0.5, 0.25), lease(house))
    assert len(ended.fresh) == 1
    assert ended.onward.share == 0.5
    assert house.slices_of(job) == {SliceState.LEASED: 1, SliceState.READY: 1}
    house.lose_leases()
    assert house.slices_of(job) == {SliceState.READY: 2}


def test_a_long_threshold_begins_in_pieces_where_the_farm_is_short_of_them(house):
    job = searching_job(house)
    ended = finish(house, house.take(), WHOLE, seconds=10.0, short=3)
    assert len(ended.fresh) == house.pass_checks() + 4
    assert house.read.view(job.id).lower_bound == LENGTH
    beyond = SliceOutcome(500, LENGTH + 2, None, (), "tables")
    for _ in range(4):
        finish(house, house.take(), beyond)
    house.pass_checks()
    first, root, *pieces = proof(house, job)
    assert (first.threshold, first.engine) == (LENGTH - 2, "tables")
    assert (root.parent_id, root.nodes, root.engine) == (None, 0, None)
    assert [piece.parent_id for piece in pieces] == [root.id] * 4


def until_told(told):
    """A slice that runs until it is told to stop, and then leaves most of its tree."""

    def search(board, goal, threshold, cursor, stop):
        while not stop():
            time.sleep(0.01)
        told.append(True)
        return in_parts(0.9, nodes=10**8)(board, goal, threshold, cursor, stop)

    return search


def test_a_running_slice_ends_early_for_a_worker_that_has_nothing_and_for_short_work(make_house):
    house = make_house(search_slice_s=10_000.0, search_slice_most_s=10_000.0)
    job = searching_job(house)
    told = []

    def asked_for_more(*facts):
        house.ask(OTHER)
        return until_told(told)(*facts)

    Heartbeat(house.database, "w").tell()
    house.solver.runnings.append(asked_for_more)
    report = house.worker().serve("search", "w", lambda: False)
    assert (report.done, report.more) == (1, True)
    assert house.slices_of(job) == {SliceState.READY: 1}
    house.work("interactive")
    Heartbeat(house.database, "idle").tell()
    house.solver.runnings.append(until_told(told))
    house.worker().serve("search", "w", lambda: len(told) == 2)
    assert house.slices_of(job)[SliceState.READY] > 1


@pytest.mark.parametrize(
    ("nodes", "workers", "seconds", "parts"),
    [
        (LEAST_ORDERED_NODES, 2, 5.0, 1),
        (LEAST_ORDERED_NODES, 8, 5.0, 4),
        (LEAST_ORDERED_NODES // 10, 2, 5.0, 4),
        # A short threshold begins whole.
        (500, 2, 0.05 / SURE_GROWTH, 1),
    ],
)
def test_who_has_the_root_of_a_long_threshold_gets_all_of_it(house, nodes, workers, seconds, parts):
    job = searching_job(house)
    outcome = SliceOutcome(nodes, LENGTH, None, (), "tables")
    finish(house, house.take(), outcome, seconds=seconds, short=3, workers=workers)
    assert house.slices_of(job)[SliceState.READY] == parts + 1, "with the check of the one before"


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
    house.solver.checks.append(untranslated("a slice has other nodes"))
    house.work("search")
    assert f"does not prove a bound of {LENGTH}: a slice has other nodes" in caplog.text
    assert [record.next for record in house.solver.checked] == [LENGTH] * 2
    thresholds = [threshold for threshold, _ in house.solver.searched]
    assert thresholds.count(LENGTH - 2) == 2
    view = house.read.view(job.id)
    assert (view.state, view.lower_bound) == (JobState.OPTIMAL, LENGTH)
    with house.database.reading() as session:
        proof = proof_of(session, job.solve_id)
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


def test_a_job_ends_where_its_check_failed_before_its_solution_is_found(house):
    job = searching_job(house)
    finish(house, house.take(), WHOLE)
    waiting = [house.take(), house.take()]
    [check] = [piece for piece in waiting if piece.kind is SliceKind.CHECK]
    [tree] = [piece for piece in waiting if piece.kind is SliceKind.SEARCH]
    house.settle(SliceFailed(check, failure_of(OSError("no process"))))
    house.settle(SliceFailed(house.take(), failure_of(OSError("no process"))))
    # What a slice leaves of the tree is of no use once it has found a path.
    rest = parts(0.5).remaining
    finish(house, tree, SliceOutcome(500, None, from_letters(best(BOARD, GOAL)), rest, "tables"))
    view = house.read.view(job.id)
    assert (view.state, view.upper_bound) == (JobState.BOUNDED, LENGTH)
    assert "no process" in str(view.message)


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
