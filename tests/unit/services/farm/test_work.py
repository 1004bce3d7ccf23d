"""The work on a board: a first try, then a search in slices whose thresholds rise to the proof."""

from __future__ import annotations

import threading

import pytest

from tests.support.services.staging import (
    BOARD,
    GOAL,
    LENGTH,
    ScriptedSolver,
    cancelled,
    in_parts,
    longer,
    nothing,
    search_end,
    searched,
    searching_job,
)
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.services.farm.life.effects import Applied
from tilework.core.services.states import JobState, Queue, SolveState
from tilework.core.solver.names import Algorithm
from tilework.core.solver.piece import Piece, SliceOutcome
from tilework.core.solver.result import SearchResult

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
    # Between the two, what the first claims is checked.
    assert house.work("search") == 3
    assert [record.next for record in house.solver.checked] == [LENGTH]
    assert [threshold for threshold, _ in house.solver.searched] == [LENGTH - 2, LENGTH]
    done = house.read.view(job.id)
    assert (done.state, done.lower_bound, done.upper_bound) == (JobState.OPTIMAL, LENGTH, LENGTH)
    assert done.nodes == 50 + 2 * 1_000
    assert house.slices_of(job) == {}
    lowers = [event.lower_bound for event in house.read.history(job.id)]
    assert lowers == sorted(lowers)
    replay(BOARD, house.read.solution(job.id).moves, GOAL)


def test_what_remains_is_searched_before_the_threshold_rises(house):
    job = searching_job(house)
    house.solver.runnings.append(in_parts(0.5, 0.25))
    house.worker().serve("search", "w", lambda: bool(house.solver.searched))
    view = house.read.view(job.id)
    assert view.lower_bound == LENGTH - 2
    assert view.progress == pytest.approx(0.25)
    assert house.solve_of(job).next_threshold == LENGTH
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL
    assert [threshold for threshold, _ in house.solver.searched].count(LENGTH) == 1


def test_a_slice_of_a_past_epoch_changes_nothing(house):
    job = searching_job(house)
    piece = house.take("slow")
    house.lose_leases()
    house.work("search")
    done, solve = house.read.view(job.id), house.solve_of(job)
    late = SliceOutcome(999, None, longer(BOARD, GOAL), (Piece(b"rest", 0.5),), "x")
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


def test_a_large_board_has_a_solution_before_its_search_begins(house):
    seen = []

    def look(board, goal, limits, found):
        found(4, from_letters("LRLLLL"), "constructive")
        seen.append(house.read.view(job.id))
        return SearchResult(4, from_letters("LLLL"), "slow")

    goal = Board([*range(1, 15), 0, *range(15, 20)], 5, 4)
    house.solver.watched.append(look)
    job = house.ask(
        Board([*range(1, 11), 0, *range(11, 20)], 5, 4), goal=goal, algorithm=Algorithm.IDA_STAR
    )
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
