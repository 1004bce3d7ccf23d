"""Clients who ask for different algorithms on one board: each runs its own course."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.services.staging import (
    ANY,
    BOARD,
    GOAL,
    LENGTH,
    ROOT,
    best,
    bounded,
    cancelled,
    longer,
)
from tilework.core.errors import UnavailableError
from tilework.core.messages import as_told
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.statistics import Statistics
from tilework.core.services.farm.life.endings import METHOD_DONE, TIME_OVER
from tilework.core.services.farm.life.events import Opened, Raised
from tilework.core.services.farm.life.settle import Lives
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.states import JobState, Queue, SliceKind, SliceState, SolveState
from tilework.core.solver.names import Algorithm, Heuristic
from tilework.core.solver.result import SearchResult
from tilework.core.solver.strategy import LONG_OPENING_S
from tilework.core.solver.target import Target, TargetKind

AUTO, BEAM, CONSTRUCTIVE = Algorithm.AUTO, Algorithm.BEAM, Algorithm.CONSTRUCTIVE
A_STAR, IDA_STAR = Algorithm.A_STAR, Algorithm.IDA_STAR


def openings(house, job):
    with house.database.reading() as session:
        groups = session.slices.groups(session.jobs.solve_of(job.id))
    return {str(group.course) for group in groups if group.kind is SliceKind.OPEN}


def test_each_algorithm_has_its_own_opening_and_the_same_one_is_shared(house):
    jobs = [house.ask(BOARD, algorithm=one) for one in (CONSTRUCTIVE, BEAM, AUTO, AUTO)]
    assert openings(house, jobs[0]) == {"constructive:auto", "beam:auto", "auto:auto"}
    other = house.ask(BOARD, algorithm=A_STAR, heuristic=Heuristic.MANHATTAN)
    assert "a-star:manhattan" in openings(house, other)


def test_one_job_ends_by_its_own_algorithm_alone(house):
    house.solver.openings.append(bounded)
    quick = house.ask(BOARD, algorithm=CONSTRUCTIVE)
    proving = house.ask(BOARD)
    house.worker().serve("interactive", "w", lambda: len(house.solver.algorithms) == 1)
    done = house.read.view(quick.id)
    assert (done.state, done.message) == (JobState.BOUNDED, METHOD_DONE)
    assert not house.read.view(proving.id).finished
    house.work()
    assert house.solver.algorithms == [CONSTRUCTIVE, AUTO]
    assert house.read.view(proving.id).state is JobState.OPTIMAL
    assert house.read.view(quick.id) == done


@pytest.mark.parametrize("first", [CONSTRUCTIVE, AUTO])
def test_the_order_in_which_they_ask_does_not_matter(house, first, pattern_databases):
    house.solver = LocalSolver(pattern_databases)
    goal = blank_last(Size(7, 7))
    board = scramble(goal.size, goal, seed=3)
    order = [first, *({CONSTRUCTIVE, AUTO} - {first})]
    jobs = {one: house.ask(board, goal=goal, algorithm=one) for one in order}
    twice = 2 * board.manhattan(goal)
    house.work_until(lambda: (house.read.view(jobs[AUTO].id).upper_bound or twice) < twice)
    house.let_time_pass()
    ended = {one: house.read.view(job.id) for one, job in jobs.items()}
    assert {one.state for one in ended.values()} == {JobState.BOUNDED}
    assert ended[CONSTRUCTIVE].message == METHOD_DONE
    assert ended[AUTO].message == TIME_OVER
    # AUTO has had its beams, whoever came first.
    assert ended[AUTO].upper_bound < twice
    for job in jobs.values():
        replay(board, house.read.solution(job.id).moves, goal)


def test_a_beam_on_its_own_takes_as_long_as_its_strategy_says(house):
    seen = []

    def beams(board, goal, limits, found):
        seen.append(limits.seconds)
        return SearchResult(0, longer(board, goal), "beam", Statistics(generated=9))

    house.solver.watched.append(beams)
    job = house.ask(BOARD, algorithm=BEAM)
    assert job.queue == "search"
    house.work()
    assert seen == [LONG_OPENING_S]
    done = house.read.view(job.id)
    assert (done.state, done.message, done.upper_bound) == (
        JobState.BOUNDED,
        METHOD_DONE,
        LENGTH + 2,
    )


def test_what_an_algorithm_has_done_is_not_done_again(house):
    house.solver.openings.append(bounded)
    house.ask(BOARD, algorithm=CONSTRUCTIVE)
    house.work()
    again = house.ask(BOARD, algorithm=CONSTRUCTIVE)
    assert (again.cached, again.state, again.message) == (True, JobState.BOUNDED, METHOD_DONE)
    assert not house.ask(BOARD).finished


def test_a_search_serves_all_who_want_a_proof_and_nobody_else(house):
    house.solver.openings.extend([bounded, bounded])
    proving = house.ask(BOARD)
    house.work("interactive")
    other = house.ask(BOARD, algorithm=A_STAR)
    assert other.queue == "search"
    assert openings(house, other) == set()
    quick = house.ask(BOARD, algorithm=CONSTRUCTIVE)
    house.cancel(proving.id, house.client)
    assert house.slices_of(other) == {SliceState.READY: 2}
    house.cancel(other.id, house.client)
    # The constructive solver's opening is left, the search rests.
    assert house.slices_of(quick) == {SliceState.READY: 1, SliceState.PARKED: 1}
    house.work()
    assert house.solver.searched == []
    assert house.read.view(quick.id).state is JobState.BOUNDED


def test_a_running_search_stops_once_only_others_ask(house):
    house.solver.openings.append(bounded)
    proving = house.ask(BOARD)
    house.work("interactive")
    piece = house.take()
    house.ask(BOARD, algorithm=BEAM)
    with house.database.reading() as session:
        assert session.slices.wanted([piece.id], "w") == {piece.id}
    house.cancel(proving.id, house.client)
    with house.database.reading() as session:
        assert session.slices.wanted([piece.id], "w") == set()


def test_a_waiting_opening_is_withdrawn_with_the_last_who_asked(house):
    job, other = (house.ask(BOARD, algorithm=one) for one in (CONSTRUCTIVE, AUTO))
    house.cancel(job.id, house.client)
    assert openings(house, other) == {"auto:auto"}
    house.work()
    assert house.solver.algorithms == [AUTO]


def test_a_deadline_is_its_jobs_own(house):
    short = house.ask(BOARD, seconds=5, algorithm=BEAM)
    long = house.ask(BOARD, seconds=500)
    house.clock.turn(6)
    house.reconcile.run_once()
    assert house.read.view(short.id).message == TIME_OVER
    assert not house.read.view(long.id).finished
    house.work()
    assert house.read.view(long.id).state is JobState.OPTIMAL


def test_a_target_met_ends_no_stricter_one(house):
    house.solver.openings.extend([bounded, cancelled])
    some = house.ask(BOARD, ANY)
    gap = house.ask(BOARD, Target(TargetKind.GAP, 0.05))
    house.work("interactive")
    assert house.read.view(some.id).state is JobState.BOUNDED
    house.work()
    assert house.read.view(gap.id).state is JobState.OPTIMAL


def test_who_asks_for_ida_star_on_a_larger_board_sees_some_solution_soon(house, pattern_databases):
    house.solver = LocalSolver(pattern_databases)
    goal = Board([*range(1, 15), 0, *range(15, 20)], 5, 4)
    job = house.ask(scramble(goal.size, goal, seed=2, moves=40), goal=goal, algorithm=IDA_STAR)
    house.work("interactive")
    uppers = [event.upper_bound for event in house.read.history(job.id)]
    assert uppers[0] is not None
    house.work()
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_numbers_of_a_job_that_has_ended_stay(house):
    house.solver.openings.append(bounded)
    job = house.ask(BOARD, ANY)
    house.work("interactive")
    done = house.read.view(job.id)
    assert (done.state, done.nodes) == (JobState.BOUNDED, 50)
    other = house.ask(BOARD)
    house.work()
    after = house.read.view(other.id)
    assert after.state is JobState.OPTIMAL
    assert after.nodes > 50
    assert house.read.view(job.id) == done
    assert len(best(BOARD, GOAL)) == after.upper_bound


def test_an_estimate_that_proves_the_solution_ends_the_job_that_goes_to_search(house):
    def best_unproved(board, goal, limits):
        return SearchResult(LENGTH - 2, from_letters(best(board, goal)), "scripted")

    house.solver.openings.append(best_unproved)
    house.solver.first_threshold = lambda board, goal: LENGTH
    job = house.ask(BOARD)
    house.work("interactive")
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_a_second_opening_whose_search_is_in_quarantine_ends_its_job(house):
    house.solver.openings.extend([bounded, bounded])
    jobs = [house.ask(BOARD), house.ask(BOARD, algorithm=IDA_STAR)]
    first, second = house.worker()._claims.take(Queue.INTERACTIVE, "w")
    opening = Opened(first.slice, bounded(BOARD, GOAL, None), LENGTH - 2, ROOT, 0.0, 0.1)
    house.settle(opening)
    for _ in range(2):
        house.settle(Raised(house.take(), as_told("no memory")))
    assert str(house.read.view(jobs[0].id).message) == "no memory"
    assert not house.read.view(jobs[1].id).finished
    house.settle(replace(opening, piece=second.slice))
    assert str(house.read.view(jobs[1].id).message) == "no memory"
    assert house.solve_of(jobs[1]).state is SolveState.IDLE


def test_an_opening_in_quarantine_leaves_its_job_to_a_search_that_others_began(house):
    house.solver.openings.append(bounded)
    house.ask(BOARD, algorithm=IDA_STAR)
    job = house.ask(BOARD)
    proving, opening = house.worker()._claims.take(Queue.INTERACTIVE, "w")
    house.settle(Opened(proving.slice, bounded(BOARD, GOAL, None), LENGTH - 2, ROOT, 0.0, 0.1))
    house.settle(Raised(opening.slice, as_told("boom")))
    [again] = house.worker()._claims.take(Queue.INTERACTIVE, "w")
    house.settle(Raised(again.slice, as_told("boom")))
    assert not house.read.view(job.id).finished
    later = house.ask(BOARD)
    house.work("search")
    assert house.read.view(job.id).state is house.read.view(later.id).state is JobState.OPTIMAL


def test_a_database_that_is_away_while_bounds_are_noted_costs_nothing(house, monkeypatch):
    def away(*_):
        raise UnavailableError("no database")

    def look(board, goal, limits, found):
        with monkeypatch.context() as patch:
            patch.setattr(Lives, "tell", away)
            found(4, from_letters("LRLLLL"), "constructive")
        return SearchResult(4, from_letters("LLLL"), "slow")

    goal = Board([*range(1, 15), 0, *range(15, 20)], 5, 4)
    board = Board([*range(1, 11), 0, *range(11, 20)], 5, 4)
    house.solver.watched.append(look)
    job = house.ask(board, goal=goal)
    house.work("interactive")
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_a_long_thin_board_has_its_first_solution_however_long_that_takes(
    make_house, pattern_databases
):
    house = make_house(open_slice_s=1e-6)
    house.solver = LocalSolver(pattern_databases)
    goal = blank_last(Size(40, 2))
    board = scramble(goal.size, goal, seed=1)
    job = house.ask(board, goal=goal)
    house.work_for(0.5)
    replay(board, house.read.solution(job.id).moves, goal)
    thin = blank_last(Size(3_000, 2))
    assert house.ask(next(thin.neighbors()), goal=thin).queue is Queue.SEARCH


def test_a_long_opening_is_charged_to_its_client(house):
    house.solver.openings.append(bounded)
    house.ask(Board([5, 2, 3, 1, 4, 0], 3, 2), client=house.clients.new())
    house.work("interactive")
    job = house.ask(BOARD, algorithm=BEAM)
    claims = house.worker()._claims
    pieces = [claims.take(Queue.SEARCH, "w")[0].slice for _ in range(2)]
    [beam] = [piece for piece in pieces if piece.kind is SliceKind.OPEN]
    [other] = [piece for piece in pieces if piece.kind is not SliceKind.OPEN]
    with house.database.writing() as session:
        session.slices.release([other.lease], house.clock())
    result = SearchResult(0, longer(BOARD, GOAL), "beam")
    house.settle(Opened(beam, result, None, ROOT, 0.0, 8.0))
    assert house.read.view(job.id).finished
    with house.database.reading() as session:
        assert session.clients.turn(house.client) > house.clock()
