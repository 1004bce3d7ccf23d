"""The work on a board, up to the proof; whatever is lost on the way is done again."""

import threading
import time

import pytest

from tests.support.services.staging import (
    BOARD,
    GOAL,
    LENGTH,
    ScriptedSolver,
    best,
    cancelled,
    in_parts,
    longer,
    nothing,
    optimal,
    search_end,
    searched,
    searching_job,
)
from tilework.core.errors import UnavailableError
from tilework.core.model.changes import Applied
from tilework.core.model.states import JobState, Queue, SliceState, SolveState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.services.farm.state_machine.machine import StateMachine
from tilework.core.solver.result import SearchResult
from tilework.core.solver.target import Algorithm
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit

OTHERS = [
    Board(tiles, 3, 2)
    for tiles in (
        [1, 2, 3, 4, 0, 5],
        [1, 2, 3, 0, 4, 5],
        [0, 2, 3, 1, 4, 5],
        [4, 1, 2, 5, 0, 3],
    )
]


def test_thresholds_rise_until_the_optimum_is_proved(house):
    job = searching_job(house)
    assert (job.lower_bound, job.upper_bound) == (LENGTH - 2, LENGTH + 2)
    assert (job.queue, house.solve_of(job).threshold) == (Queue.SEARCH, LENGTH - 2)
    assert house.tickets.sent["search"] == 1
    # What remains is searched before the threshold rises.
    house.solver.runnings.append(in_parts(0.5, 0.25))
    house.worker().serve("search", "worker", lambda: bool(house.solver.searched))
    view = house.read.view(job.id)
    assert (view.lower_bound, view.progress) == (LENGTH - 2, pytest.approx(0.25))
    house.work("search")
    [record] = house.solver.checked
    assert (record.next, len(record.slices)) == (LENGTH, len({one.id for one in record.slices}))
    assert sum(one.nodes for one in record.slices) == record.nodes
    assert [one.parent for one in record.slices].count(None) == 1
    thresholds = [threshold for threshold, _ in house.solver.searched]
    assert thresholds == [LENGTH - 2] * (len(thresholds) - 1) + [LENGTH]
    done = house.read.view(job.id)
    assert (done.state, done.lower_bound, done.upper_bound) == (JobState.OPTIMAL, LENGTH, LENGTH)
    assert done.nodes == 50 + 500 + (len(thresholds) - 1) * 1_000
    assert house.slices_of(job) == {}
    lowers = [event.lower_bound for event in house.read.history(job.id)]
    assert lowers == sorted(lowers)
    replay(BOARD, house.read.solution(job.id).moves, GOAL)


def test_a_slice_of_a_past_epoch_changes_nothing(house):
    job = searching_job(house)
    piece = house.take("slow")
    house.lose_leases()
    house.work("search")
    done, solve = house.read.view(job.id), house.solve_of(job)
    late = SliceOutcome(999, None, longer(BOARD, GOAL), (WorkUnit(b"rest", 0.5),), "x")
    assert house.settle(search_end(piece, late)) == Applied()
    assert house.read.view(job.id) == done
    assert house.solve_of(job) == solve
    assert solve.state is SolveState.SETTLED
    assert house.slices_of(job) == {}


def test_a_first_try_that_was_interrupted_is_made_again_and_one_in_vain_is_not(house):
    house.solver.openings += [cancelled]
    job = house.ask(BOARD)
    house.work("interactive")
    assert house.read.view(job.id).state is JobState.OPTIMAL
    assert house.solver.searched == []
    house.solver.openings.append(nothing)
    job = house.ask(Board([*range(1, 41), 0, 41], 7, 6))
    house.work()
    assert house.read.view(job.id).state is JobState.FAILED


def test_a_large_board_has_a_solution_before_its_search_begins(house, monkeypatch):
    seen = []

    def away(*_):
        raise UnavailableError("no database")

    def look(board, goal, limits, found):
        # A database that is away for a moment costs nothing.
        with monkeypatch.context() as patch:
            patch.setattr(StateMachine, "report", away)
            found(4, from_letters("LRLLLL"), "constructive")
        found(4, from_letters("LRLLLL"), "constructive")
        seen.append(house.read.view(job.id))
        return SearchResult(4, from_letters("LLLL"), "slow")

    goal = Board([*range(1, 15), 0, *range(15, 20)], 5, 4)
    board = Board([*range(1, 11), 0, *range(11, 20)], 5, 4)
    house.solver.watched.append(look)
    job = house.ask(board, goal=goal, algorithm=Algorithm.IDA_STAR)
    house.work("interactive")
    assert house.solver.algorithms == [Algorithm.IDA_STAR]
    assert (seen[0].lower_bound, seen[0].upper_bound) == (4, 6)
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_work_ends_when_told_to_and_gives_back_what_it_has_not_begun(house):
    jobs = [house.ask(board) for board in OTHERS[:3]]
    report = house.worker().serve("interactive", "w", lambda: len(house.solver.opened) == 1)
    assert (report.done, report.more) == (1, True)
    states = [house.read.view(job.id).state for job in jobs]
    assert states == [JobState.OPTIMAL, JobState.QUEUED, JobState.QUEUED]
    assert house.work() == 2


def test_a_running_job_is_told_so(house):
    job = searching_job(house)
    house.cancel(job.id, house.client)
    job = house.ask(BOARD)
    seen = []

    def slow(board, goal, threshold, cursor, stop):
        seen.append(house.read.wait(job.id, job.version, 60).state)
        return searched(board, goal, threshold, cursor, stop)

    house.solver.runnings.append(slow)
    house.work("search")
    assert seen == [JobState.RUNNING]


def test_workers_share_a_queue_without_doing_anything_twice(house):
    jobs = [house.ask(board) for board in OTHERS]
    solvers = [ScriptedSolver() for _ in range(4)]
    workers = [
        threading.Thread(
            target=house.worker(solver).serve, args=("interactive", f"w{place}", lambda: False)
        )
        for place, solver in enumerate(solvers)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sum(len(solver.opened) for solver in solvers) == len(OTHERS)
    assert {house.read.view(job.id).state for job in jobs} == {JobState.OPTIMAL}


@pytest.mark.parametrize("before", [[], [in_parts(0.5)]], ids=["claimed", "gone-on-with"])
def test_a_lease_is_renewed_for_as_long_as_its_slice_takes(make_house, before):
    house = make_house(lease_s=1.0)
    job = searching_job(house)

    def slow(board, goal, threshold, cursor, stop):
        house.clock.turn(0.9)
        with house.database.reading() as session:
            while session.slices.expired(house.clock() + 0.5):
                time.sleep(0.01)
        house.let_time_pass(0.9)
        assert house.claim("search") == 0
        return searched(board, goal, threshold, cursor, stop)

    # What remains of a slice is leased to who goes on with it, without another claim.
    house.solver.runnings += [*before, slow]
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL
    assert len(house.solver.searched) == len(before) + 2


def test_poison_is_split_and_what_still_fails_is_set_aside(house):
    job = searching_job(house)
    for _ in range(3):
        assert house.claim("search") == 1
        house.lose_leases()
    worker = house.worker()
    worker.serve("search", "w", lambda: house.slices_of(job).get(SliceState.READY, 0) == 2)
    assert house.solver.searched == []
    assert house.claim("search") == 1
    house.lose_leases()
    assert house.slices_of(job) == {SliceState.READY: 1, SliceState.QUARANTINED: 1}
    assert house.read.view(job.id).state is JobState.RUNNING
    assert house.work("search") == 1
    done = house.read.view(job.id)
    assert (done.state, done.lower_bound) == (JobState.BOUNDED, LENGTH - 2)
    assert "suspended for an hour" in str(done.message)


def test_a_board_that_kills_its_workers_is_set_aside_for_a_while(house):
    job = house.ask(BOARD)
    for _ in range(3):
        assert not house.read.view(job.id).finished
        assert house.claim() == 1
        house.lose_leases()
    assert house.work() == 0
    assert house.solver.opened == []
    again = house.ask(BOARD)
    assert again.state is house.read.view(job.id).state is JobState.FAILED
    assert "suspended for an hour" in str(again.message)
    house.clock.turn(house.settings.poison_rest_s)
    job = house.ask(BOARD)
    house.work()
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_what_may_be_poison_is_claimed_alone(house):
    jobs = [house.ask(board) for board in OTHERS[:2]]
    assert house.claim() == 2
    assert house.work() == 0
    house.lose_leases()
    assert house.claim() == 1
    house.lose_leases()
    assert house.work() == 2
    assert {house.read.view(job.id).state for job in jobs} == {JobState.OPTIMAL}


def test_a_database_that_is_away_for_a_moment_counts_against_no_slice(house):
    job = searching_job(house)
    for _ in range(4):
        house.solver.runnings.append(UnavailableError("away"))
        with pytest.raises(UnavailableError):
            house.work("search")
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_an_error_in_a_search_leaves_the_bounds_that_are_proved(house):
    job = searching_job(house)
    house.solver.runnings.extend([ValueError("x"), ValueError("y")])
    house.work("search")
    done = house.read.view(job.id)
    assert (done.state, done.lower_bound) == (JobState.BOUNDED, LENGTH - 2)
    assert len(house.read.solution(job.id).moves) == LENGTH + 2


def test_moves_that_do_not_solve_are_an_error(house):
    job = searching_job(house)

    def wrong(board, goal, threshold, cursor, stop):
        return SliceOutcome(1, None, from_letters(best(board, goal))[:-1], (), "x")

    house.solver.runnings.append(wrong)
    house.work("search")
    assert house.read.view(job.id).upper_bound == LENGTH
    replay(BOARD, house.read.solution(job.id).moves, GOAL)


def test_what_breaks_one_algorithm_leaves_the_others_alone(house):
    error = RuntimeError("no memory")
    house.solver.openings.extend([error, cancelled, error, optimal])
    job = house.ask(BOARD, algorithm=Algorithm.A_STAR)
    other = house.ask(BOARD)
    house.work()
    done = house.read.view(job.id)
    assert done.state is JobState.FAILED
    assert "no memory" in str(done.message)
    assert house.solver.algorithms == [Algorithm.A_STAR, Algorithm.AUTO] * 2
    assert house.read.view(other.id).state is JobState.OPTIMAL
