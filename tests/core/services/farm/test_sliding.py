"""Jobs that count in slides: a solve of their own, and all that jobs have."""

from __future__ import annotations

import time
from itertools import groupby

import pytest
from sqlalchemy import update

from tests.core.services.sliding import (
    SlidingSolver,
    fewest_slides,
    noted_only,
    slides_between,
    too_slow,
)
from tests.core.services.staging import ANY, BOARD, GOAL, LENGTH, longer
from tilework.core.errors import ConflictError, OptionError, QuotaError, UnsolvableError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.packing import pack
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.jobs.phrases import WITHDRAWN
from tilework.core.services.jobs.submission import BatchSubmission
from tilework.core.services.states import JobState, Queue
from tilework.core.solver.names import Algorithm, Heuristic
from tilework.core.storage.models import job as job_
from tilework.core.storage.models import solve

FEWEST = slides_between(BOARD, GOAL)


@pytest.fixture
def sliding(house):
    house.solver = SlidingSolver()
    return house


def ask(house, board=BOARD, **options):
    return house.ask(board, metric=Metric.SLIDES, **options)


def count(moves):
    return len(list(groupby(to_letters(moves))))


def check_answered(house, job, board=BOARD, goal=GOAL, fewest=FEWEST):
    found, solution = house.read.view(job.id), house.read.solution(job.id)
    assert found.metric is Metric.SLIDES
    assert (found.state, found.lower_bound, found.upper_bound) == (
        JobState.OPTIMAL,
        fewest,
        fewest,
    )
    assert solution.optimal
    assert solution.metric is Metric.SLIDES
    assert count(solution.moves) == fewest
    replay(board, solution.moves, goal)


def change(house, table, **values):
    with house.database.engine(writes=True).begin() as connection:
        assert connection.execute(update(table).values(**values)).rowcount == 1


def test_fewest_slides_are_other_than_fewest_moves(sliding):
    assert FEWEST < LENGTH
    job = ask(sliding)
    assert job.lower_bound >= 1
    sliding.work()
    check_answered(sliding, job)


def test_moves_and_slides_of_a_board_are_kept_apart(sliding):
    in_slides, in_moves = ask(sliding), sliding.ask(BOARD)
    sliding.work()
    check_answered(sliding, in_slides)
    found = sliding.read.view(in_moves.id)
    assert (found.metric, found.upper_bound) == (Metric.MOVES, LENGTH)
    known = sliding.read.find_solution(BOARD, GOAL)
    assert (known.metric, len(known.moves), known.optimal) == (Metric.MOVES, LENGTH, True)
    # A page of statistics tells of boards by their moves.
    [size] = sliding.read.statistics().sizes
    assert (size.puzzles, size.longest) == (1, LENGTH)


def test_an_answer_is_shared_by_all_forms_of_a_puzzle(sliding):
    first = ask(sliding)
    sliding.work()
    # Start and goal exchanged, with the tiles' other names, for somebody else.
    other = ask(sliding, GOAL, goal=BOARD, client=sliding.clients.new())
    assert (other.cached, other.state) == (True, JobState.OPTIMAL)
    check_answered(sliding, other, GOAL, BOARD)
    check_answered(sliding, first)
    assert sliding.solver.slid == 1


def test_who_asks_while_it_is_searched_waits_for_the_same(sliding):
    jobs = [ask(sliding, client=sliding.clients.new()) for _ in range(3)]
    sliding.work()
    for job in jobs:
        check_answered(sliding, job)
    assert sliding.solver.slid == 1


def test_what_is_too_slow_for_its_queue_goes_on_among_long_searches(sliding):
    sliding.solver.slidings.append(too_slow)
    job = ask(sliding)
    assert sliding.work("interactive") == 1
    found = sliding.read.view(job.id)
    assert (found.state, found.queue) == (JobState.RUNNING, Queue.SEARCH)
    assert found.upper_bound is not None
    assert sliding.work("search") == 1
    check_answered(sliding, job)


def test_a_worker_that_dies_is_replaced(sliding):
    job = ask(sliding)
    assert sliding.claim() == 1
    sliding.clock.turn(sliding.settings.lease_s + 1)
    sliding.reconcile.run_once()
    sliding.work()
    check_answered(sliding, job)


def test_a_board_that_kills_its_workers_fails(sliding):
    job = ask(sliding)
    for _ in range(3):
        assert sliding.claim() == 1
        sliding.clock.turn(sliding.settings.lease_s + 1)
        sliding.reconcile.run_once()
    found = sliding.read.view(job.id)
    assert (found.state, found.message.code) == (JobState.FAILED, "quarantined")


def test_a_search_that_raises_is_tried_again(sliding):
    sliding.solver.slidings.append(RuntimeError("a bad day"))
    job = ask(sliding)
    sliding.work()
    check_answered(sliding, job)


def test_cancelling_keeps_what_was_noted(sliding):
    sliding.solver.slidings.append(noted_only)
    job = ask(sliding)
    sliding.worker().serve("interactive", "w", lambda: sliding.solver.slid > 0)
    found = sliding.cancel(job.id, sliding.client)
    assert (found.state, found.lower_bound) == (JobState.CANCELLED, 3)
    assert count(sliding.read.solution(job.id).moves) == found.upper_bound
    last = sliding.read.history(job.id)[-1]
    assert (last.lower_bound, last.upper_bound) == (3, found.upper_bound)


def test_a_deadline_ends_it(sliding):
    without = ask(sliding, seconds=5.0)
    sliding.let_time_pass(6.0)
    assert sliding.read.view(without.id).state is JobState.EXPIRED
    sliding.solver.slidings += [too_slow]
    some = ask(sliding, seconds=5.0)
    sliding.work("interactive")
    sliding.let_time_pass(6.0)
    found = sliding.read.view(some.id)
    assert (found.state, found.message.code) == (JobState.BOUNDED, "time-is-up")


def test_any_solution_will_do(sliding):
    sliding.solver.slidings.append(too_slow)
    job = ask(sliding, target=ANY)
    sliding.work()
    found = sliding.read.view(job.id)
    assert found.state is JobState.BOUNDED
    assert count(sliding.read.solution(job.id).moves) == found.upper_bound
    better = ask(sliding)
    sliding.work()
    check_answered(sliding, better)


def test_a_batch_in_slides(sliding):
    boards = [scramble(GOAL.size, GOAL, seed) for seed in range(4)]
    unsolvable = Board([2, 1, 3, 4, 5, 0], 3, 2)
    items = [(board, GOAL) for board in (*boards, unsolvable)]
    batch = sliding.submit_batch(
        BatchSubmission(items=items, client_id=sliding.client, metric=Metric.SLIDES)
    )
    sliding.work("batch")
    *solved, failed = sliding.read_batch.results(batch.id)
    for board, line in zip(boards, solved, strict=True):
        assert line.optimal
        assert line.upper_bound == count(line.moves) == slides_between(board, GOAL)
        replay(board, line.moves, GOAL)
    assert failed.state is JobState.FAILED
    assert sliding.read.view(failed.job_id).metric is Metric.SLIDES


def test_a_key_stands_for_one_metric(sliding):
    first = ask(sliding, key="k")
    assert ask(sliding, key="k").id == first.id
    with pytest.raises(ConflictError):
        sliding.ask(BOARD, key="k")


def test_jobs_in_slides_count_among_the_others(make_house):
    house = make_house(jobs_per_client=1)
    house.solver = SlidingSolver()
    ask(house)
    with pytest.raises(QuotaError):
        house.ask(BOARD)


@pytest.mark.parametrize(
    "names", [{"algorithm": Algorithm.BEAM}, {"heuristic": Heuristic.MANHATTAN}], ids=str
)
def test_names_of_searches_for_moves_are_refused(sliding, names):
    [name] = names.values()
    with pytest.raises(
        OptionError, match=f"'{name}' counts moves; .* 'moves' in place of 'slides'"
    ):
        ask(sliding, **names)


def test_what_cannot_be_solved_is_refused(sliding):
    with pytest.raises(UnsolvableError):
        ask(sliding, Board([2, 1, 3, 4, 5, 0], 3, 2))


@pytest.mark.parametrize(
    "values",
    [
        {"lower_bound": 1, "upper_bound": 1},
        {"upper_bound": LENGTH},
        {"moves": b"\x0a"},
        {"iterations": "[]"},
        {"seal": None},
    ],
    ids=str,
)
def test_a_damaged_solve_is_solved_anew(sliding, values):
    job = ask(sliding)
    sliding.work()
    change(sliding, solve, **values)
    again = ask(sliding)
    sliding.work()
    check_answered(sliding, again)
    check_answered(sliding, job)
    in_moves = sliding.ask(BOARD)
    sliding.work()
    assert sliding.read.view(in_moves.id).upper_bound == LENGTH


def test_a_solve_in_slides_is_not_taken_for_one_in_moves(sliding):
    job = ask(sliding)
    sliding.work()
    change(sliding, solve, key=canonicalize(BOARD, GOAL).key)
    in_moves = sliding.ask(BOARD)
    sliding.work()
    assert sliding.read.view(in_moves.id).upper_bound == LENGTH
    assert len(sliding.read.solution(in_moves.id).moves) == LENGTH
    again = ask(sliding)
    sliding.work()
    check_answered(sliding, again)
    check_answered(sliding, job)


@pytest.mark.parametrize("metric", [None, "moves", "hops"])
def test_a_job_whose_metric_is_damaged_says_nothing_wrong(sliding, metric):
    job = ask(sliding)
    sliding.work()
    change(sliding, job_, metric=metric)
    found = sliding.read.view(job.id)
    assert (found.state, found.message.code) == (JobState.FAILED, "record-damaged")
    check_answered(sliding, ask(sliding))


def test_moves_that_are_too_many_slides_are_withdrawn(sliding):
    job = ask(sliding)
    sliding.work()
    change(sliding, solve, moves=pack(longer(BOARD, GOAL)))
    assert sliding.read.solution(job.id) is None
    assert sliding.read.view(job.id).message == WITHDRAWN
    again = ask(sliding)
    sliding.work()
    check_answered(sliding, again)


@pytest.fixture
def true_house(house, pattern_databases):
    house.solver = LocalSolver(pattern_databases)
    return house


def test_the_solver_proves_small_boards(true_house):
    house, goal = true_house, blank_last(Size(3, 3))
    for seed in range(4):
        board = scramble(goal.size, goal, seed)
        job = ask(house, board)
        house.work()
        check_answered(house, job, board, goal, slides_between(board, goal))


def test_a_larger_board_ends_with_bounds(make_house, monkeypatch):
    monkeypatch.setattr("tilework.core.services.farm.searcher.LONG_OPENING_S", 1.0)
    house = make_house()
    house.solver = LocalSolver(house.settings.data_dir)
    board = scramble(Size(5, 5), blank_last(Size(5, 5)), 1)
    job = ask(house, board)
    assert (job.queue, job.lower_bound) == (
        Queue.SEARCH,
        -(-board.manhattan(blank_last(Size(5, 5))) // 4),
    )
    house.work("search")
    found = house.read.view(job.id)
    assert (found.state, found.message.code) == (JobState.BOUNDED, "slides-not-counted-out")
    assert found.lower_bound < found.upper_bound == count(house.read.solution(job.id).moves)
    assert not found.leaves_more
    again = ask(house, board)
    assert (again.state, again.cached) == (JobState.BOUNDED, True)


def test_short_work_is_done_in_the_middle_of_a_long_search(make_house):
    house = make_house()
    house.clock.going = True
    house.solver = SlidingSolver()
    house.solver.slidings.append(too_slow)
    job = ask(house)
    house.work("interactive")
    short = house.ask(next(BOARD.neighbors()))

    def patient(board, goal, limits, found):
        end = time.monotonic() + 30.0
        while not house.read.view(short.id).finished and time.monotonic() < end:
            assert not limits.cancelled()
        assert house.read.view(short.id).finished
        return fewest_slides(board, goal, limits, found)

    house.solver.slidings.append(patient)
    house.worker().serve(Queue.SEARCH, "w", lambda: house.read.view(job.id).finished)
    check_answered(house, job)
