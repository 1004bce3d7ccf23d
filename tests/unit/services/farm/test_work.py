from __future__ import annotations

import threading

import pytest

from tests.support import naive
from tests.support.services.staging import (
    ANY,
    BOARD,
    DETOUR,
    GOAL,
    LENGTH,
    ScriptedSolver,
    best,
    bounded,
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
from tilework.core.search.statistics import Statistics
from tilework.core.services.farm.life.effects import Applied
from tilework.core.services.farm.life.endings import TIME_OVER
from tilework.core.services.states import JobState, Queue, SliceState, SolveState
from tilework.core.solver.names import Algorithm
from tilework.core.solver.piece import Piece, SliceOutcome
from tilework.core.solver.result import SearchResult


def test_bounds_of_the_first_try_are_kept_and_a_search_is_planned(house):
    job = searching_job(house)
    assert (job.lower_bound, job.upper_bound) == (LENGTH - 2, LENGTH + 2)
    assert job.queue is Queue.SEARCH
    assert house.solve_of(job).threshold == LENGTH - 2
    assert house.tickets.sent["search"] == 1


def test_thresholds_rise_until_the_optimum_is_proved(house):
    job = searching_job(house)
    # Between the two, what the first claims is checked.
    assert house.work("search") == 3
    assert [record.next for record in house.solver.checked] == [LENGTH]
    assert [threshold for threshold, _ in house.solver.searched] == [LENGTH - 2, LENGTH]
    done = house.read.view(job.id)
    assert (done.state, done.lower_bound, done.upper_bound) == (JobState.OPTIMAL, LENGTH, LENGTH)
    assert done.nodes == 50 + 2 * 1_000
    lowers = [event.lower_bound for event in house.read.history(job.id)]
    assert lowers == sorted(lowers)
    replay(BOARD, house.read.solution(job.id).moves, GOAL)


def test_a_lower_bound_that_reaches_the_solution_proves_it(house):
    def best_unproved(board, goal, limits):
        moves = from_letters(best(board, goal))
        return SearchResult(LENGTH - 2, moves, "scripted")

    house.solver.openings.append(best_unproved)
    job = house.ask(BOARD)
    assert house.work() == 3
    assert [record.next for record in house.solver.checked] == [LENGTH]
    done = house.read.view(job.id)
    assert (done.state, done.lower_bound) == (JobState.OPTIMAL, LENGTH)
    assert house.slices_of(job) == {}


def test_what_remains_is_searched_before_the_threshold_rises(house):
    job = searching_job(house)
    house.solver.runnings.append(in_parts(0.5, 0.25))
    worker = house.worker()
    worker.serve("search", "w", lambda: bool(house.solver.searched))
    view = house.read.view(job.id)
    assert view.lower_bound == LENGTH - 2
    assert view.progress == pytest.approx(0.25)
    assert house.solve_of(job).next_threshold == LENGTH
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL
    assert [threshold for threshold, _ in house.solver.searched].count(LENGTH) == 1


def test_cursors_are_split_while_too_little_waits(house):
    job = searching_job(house)
    house.solver.runnings.append(in_parts(0.9, nodes=10**8))
    house.worker().serve("search", "w", lambda: bool(house.solver.searched))
    assert house.slices_of(job)[SliceState.READY] > 1
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_ending_a_slice_twice_is_ending_it_once(house):
    job = searching_job(house)
    piece = house.take()
    outcome = SliceOutcome(700, LENGTH, None, (Piece(b"rest", 0.5),), "x")
    applied = [house.settle(search_end(piece, outcome)).done for _ in range(2)]
    assert applied == [True, False]
    solve = house.solve_of(job)
    assert solve.nodes == 50 + 700
    assert house.slices_of(job) == {SliceState.READY: 1}
    assert house.read.view(job.id).progress == pytest.approx(0.5)


def test_a_slice_of_a_past_epoch_changes_nothing(house):
    job = searching_job(house)
    piece = house.take("slow")
    house.clock.turn(house.settings.lease_s + 1)
    house.reconcile.run_once()
    house.work("search")
    done, solve = house.read.view(job.id), house.solve_of(job)
    late = SliceOutcome(999, None, longer(BOARD, GOAL), (Piece(b"rest", 0.5),), "x")
    assert house.settle(search_end(piece, late)) == Applied()
    assert house.read.view(job.id) == done
    assert house.solve_of(job) == solve
    assert solve.state is SolveState.SETTLED
    assert house.slices_of(job) == {}


LARGE = Board([*range(1, 41), 0, 41], 7, 6)


def two_too_long(board, goal):
    """The one move that solves a board, after another and its opposite."""
    for letter in "LRUD":
        if naive.moved(tuple(board.cells.tolist()), board.width, letter) == tuple(goal.cells):
            there, back = next(
                (one, DETOUR[one][1])
                for one in "LRUD"
                if naive.moved(tuple(board.cells.tolist()), board.width, one)
            )
            return there + back + letter
    raise AssertionError("one move leads to the goal")


def two_moves_too_long(board, goal, limits):
    moves = from_letters(two_too_long(board, goal))
    return SearchResult(len(moves) - 2, moves, "scripted", Statistics(generated=50))


def test_a_board_too_large_to_be_searched_ends_bounded_with_its_time(house):
    house.solver.openings.append(two_moves_too_long)
    job = house.ask(LARGE)
    house.work_for(0.2)
    assert not house.read.view(job.id).finished
    house.let_time_pass()
    done = house.read.view(job.id)
    assert (done.state, done.lower_bound, done.upper_bound) == (JobState.BOUNDED, 1, 3)
    assert done.message == TIME_OVER
    assert house.solve_of(job).state is SolveState.IDLE
    assert house.slices_of(job) == {}


def test_a_board_without_any_solution_found_fails(house):
    house.solver.openings.append(nothing)
    job = house.ask(LARGE)
    house.work()
    assert house.read.view(job.id).state is JobState.FAILED


@pytest.mark.parametrize("algorithm", [Algorithm.CONSTRUCTIVE, Algorithm.BEAM])
def test_who_asks_for_an_algorithm_that_proves_nothing_gets_no_search(house, algorithm):
    house.solver.openings.append(bounded)
    job = house.ask(BOARD, algorithm=algorithm)
    house.work()
    assert house.read.view(job.id).state is JobState.BOUNDED
    assert house.solver.searched == []


def test_a_first_try_that_was_interrupted_is_made_again(house):
    house.solver.openings.append(cancelled)
    job = house.ask(BOARD)
    house.work("interactive")
    assert house.read.view(job.id).state is JobState.OPTIMAL
    assert house.solver.searched == []


def test_a_large_board_has_a_solution_before_its_search_begins(house):
    seen = []

    def look(board, goal, limits, found):
        found(4, from_letters("LRLLLL"), "constructive")
        seen.append(house.read.view(job.id))
        return SearchResult(4, from_letters("LLLL"), "slow")

    goal = Board([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0, 15, 16, 17, 18, 19], 5, 4)
    board = Board([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11, 12, 13, 14, 15, 16, 17, 18, 19], 5, 4)
    house.solver.watched.append(look)
    job = house.ask(board, goal=goal, algorithm=Algorithm.IDA_STAR)
    house.work("interactive")
    assert house.solver.algorithms == [Algorithm.IDA_STAR]
    assert (seen[0].lower_bound, seen[0].upper_bound) == (4, 6)
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_work_ends_when_told_to_and_gives_back_what_it_has_not_begun(house):
    boards = ([1, 2, 3, 4, 0, 5], [1, 2, 3, 0, 4, 5], [0, 2, 3, 1, 4, 5])
    jobs = [house.ask(Board(tiles, 3, 2)) for tiles in boards]
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
        seen.append(house.read.wait(job.id, job.version, 10).state)
        return searched(board, goal, threshold, cursor, stop)

    house.solver.runnings.append(slow)
    house.work("search")
    assert seen == [JobState.RUNNING]


def test_workers_share_a_queue_without_doing_anything_twice(house):
    boards = [
        Board(tiles, 3, 2)
        for tiles in (
            [1, 2, 3, 4, 0, 5],
            [1, 2, 3, 0, 4, 5],
            [0, 2, 3, 1, 4, 5],
            [4, 1, 2, 5, 0, 3],
        )
    ]
    jobs = [house.ask(board) for board in boards]
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
    assert sum(len(solver.opened) for solver in solvers) == len(boards)
    assert {house.read.view(job.id).state for job in jobs} == {JobState.OPTIMAL}


def test_clients_take_turns(house):
    for tiles in ([1, 2, 3, 4, 0, 5], [1, 2, 3, 0, 4, 5], [0, 2, 3, 1, 4, 5]):
        house.ask(Board(tiles, 3, 2))
    house.clock.turn(0.01)
    other = house.ask(BOARD, client=house.clients.new())
    claims = house.worker()._claims.take(Queue.INTERACTIVE, "w")
    assert [claim.slice.solve_id for claim in claims].index(house.solve_of(other).id) == 1


def test_target_any_needs_no_search(house):
    house.solver.openings.append(bounded)
    job = house.ask(BOARD, ANY)
    house.work()
    assert house.read.view(job.id).state is JobState.BOUNDED
    assert house.solve_of(job).state is SolveState.IDLE
