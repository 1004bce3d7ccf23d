"""What is refused at the door, and what a quota, the depth and an idempotency key stand for."""

from __future__ import annotations

import pytest

from tests.support.services.staging import ANY
from tilework.core.errors import (
    BoardError,
    ConflictError,
    OptionError,
    OverloadError,
    QuotaError,
    UnsolvableError,
)
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.jobs.submission import BatchSubmission
from tilework.core.services.states import JobState
from tilework.core.solver.names import Algorithm, Heuristic

BOARD = Board([4, 1, 2, 5, 0, 3], 3, 2)
OTHER = Board([1, 2, 3, 0, 4, 5], 3, 2)
GOAL = blank_last(Size(3, 2))


def test_an_unsolvable_board_is_refused_with_the_reason(house):
    with pytest.raises(UnsolvableError) as refused:
        house.ask(Board([2, 1, 3, 4, 5, 0], 3, 2))
    assert "nversions" in str(refused.value.explanation)


def test_a_goal_of_another_size_is_refused(house):
    with pytest.raises(BoardError, match="3×2"):
        house.ask(BOARD, goal=blank_last(Size(2, 3)))


@pytest.mark.parametrize("seconds", [0, -1, 1e9, float("nan")])
def test_a_time_limit_out_of_range_is_refused(house, seconds):
    with pytest.raises(OptionError, match="time limit"):
        house.ask(BOARD, seconds=seconds)


def test_a_board_over_the_limit_is_refused(make_house):
    with pytest.raises(OptionError, match="6 cells"):
        make_house(max_cells=5).ask(BOARD)


def test_a_client_has_a_quota_and_others_do_not_pay_for_it(make_house):
    house = make_house(jobs_per_client=1)
    house.ask(BOARD)
    with pytest.raises(QuotaError):
        house.ask(OTHER)
    assert house.ask(OTHER, client=house.clients.new()).state is JobState.QUEUED
    house.work()
    assert house.ask(OTHER).cached


def test_the_service_has_a_depth(make_house):
    house = make_house(depth_cap=1)
    house.ask(BOARD)
    with pytest.raises(OverloadError):
        house.ask(OTHER, client=house.clients.new())


def test_an_idempotency_key_gives_the_same_job(house):
    job = house.ask(BOARD, key="k")
    assert house.ask(BOARD, key="k").id == job.id
    house.work()
    assert house.ask(BOARD, key="k").id == job.id
    assert house.ask(BOARD, key="other").id != job.id
    assert house.ask(BOARD, key="k", client=house.clients.new()).id != job.id


def test_an_idempotency_key_is_for_one_request(house):
    house.ask(BOARD, key="k")
    with pytest.raises(ConflictError, match="'k'"):
        house.ask(BOARD, ANY, key="k")


def test_a_refused_request_does_not_use_up_its_key(make_house):
    house = make_house(jobs_per_client=1)
    house.ask(BOARD)
    with pytest.raises(QuotaError):
        house.ask(OTHER, key="k")
    house.work()
    assert house.ask(OTHER, key="k").state is JobState.QUEUED


@pytest.mark.parametrize(
    ("size", "algorithm", "heuristic", "words"),
    [
        (Size(7, 7), Algorithm.A_STAR, Heuristic.AUTO, "choose from auto, beam, constructive"),
        (
            Size(5, 5),
            Algorithm.A_STAR,
            Heuristic.AUTO,
            "limited to 16 cells and a board of 5×5 has 25",
        ),
        (Size(7, 7), Algorithm.IDA_STAR, Heuristic.AUTO, "limited to 36 cells"),
        (Size(17, 17), Algorithm.BEAM, Heuristic.AUTO, "choose from auto, constructive"),
        (
            Size(4, 4),
            Algorithm.IDA_STAR,
            Heuristic.MANHATTAN,
            "does not support manhattan for boards of 4×4",
        ),
        (Size(7, 7), Algorithm.AUTO, Heuristic.PATTERN_DATABASE, "linear-conflict, manhattan"),
    ],
)
def test_what_no_algorithm_can_do_is_refused_at_the_door(house, size, algorithm, heuristic, words):
    goal = blank_last(size)
    board = next(goal.neighbors())
    with pytest.raises(OptionError, match=words):
        house.ask(board, goal=goal, algorithm=algorithm, heuristic=heuristic)
    submission = BatchSubmission(
        client_id=house.client,
        items=[(board, goal)],
        algorithm=algorithm,
        heuristic=heuristic,
    )
    with pytest.raises(OptionError, match=f"^board 1 of the batch: .*{words}"):
        house.submit_batch(submission)
    assert house.read.jobs_of(house.client) == []
