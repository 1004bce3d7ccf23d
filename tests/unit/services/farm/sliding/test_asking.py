"""Who asks for few slides: what is shared with others, and what is refused."""

from __future__ import annotations

import pytest

from tests.support.services.sliding import (
    SlidingSolver,
    slides_between,
)
from tests.support.services.staging import BOARD, GOAL, LENGTH
from tests.unit.services.farm.sliding.asking import ask, check_answered, count
from tilework.core.errors import ConflictError, OptionError, QuotaError, UnsolvableError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.jobs.submission import BatchSubmission
from tilework.core.services.states import JobState
from tilework.core.solver.names import Algorithm, Heuristic


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
