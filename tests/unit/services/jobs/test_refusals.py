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


def test_boards_and_limits_that_are_refused(make_house):
    house = make_house(max_cells=6)
    with pytest.raises(UnsolvableError) as refused:
        house.ask(Board([2, 1, 3, 4, 5, 0], 3, 2))
    assert "nversions" in str(refused.value.explanation)
    with pytest.raises(BoardError, match="3×2"):
        house.ask(BOARD, goal=blank_last(Size(2, 3)))
    with pytest.raises(OptionError, match="7 cells"):
        house.ask(Board([1, 2, 3, 4, 5, 0, 6], 7, 1))
    for seconds in (0, -1, 1e9, float("nan")):
        with pytest.raises(OptionError, match="time limit"):
            house.ask(BOARD, seconds=seconds)
    assert house.read.jobs_of(house.client) == []


def test_quotas_of_a_client_and_the_depth_of_the_service(make_house):
    house = make_house(jobs_per_client=1, depth_cap=2)
    house.ask(BOARD)
    with pytest.raises(QuotaError):
        house.ask(OTHER, key="k")
    assert house.ask(OTHER, client=house.clients.new()).state is JobState.QUEUED
    with pytest.raises(OverloadError):
        house.ask(GOAL, goal=BOARD, client=house.clients.new())
    house.work()
    # What was refused has not used up its key.
    assert house.ask(OTHER, key="k").cached


def test_an_idempotency_key_gives_the_same_job_for_the_same_request(house):
    job = house.ask(BOARD, key="k")
    assert house.ask(BOARD, key="k").id == job.id
    with pytest.raises(ConflictError, match="'k'"):
        house.ask(BOARD, ANY, key="k")
    house.work()
    assert house.ask(BOARD, key="k").id == job.id
    assert house.ask(BOARD, key="other").id != job.id
    assert house.ask(BOARD, key="k", client=house.clients.new()).id != job.id


def test_what_no_algorithm_can_do_is_refused_at_the_door(house):
    auto = Algorithm.AUTO, Heuristic.AUTO
    for side, algorithm, heuristic, words in (
        (5, Algorithm.A_STAR, auto[1], "limited to 16 cells and a board of 5×5 has 25"),
        (7, Algorithm.IDA_STAR, auto[1], "limited to 36 cells.*choose from auto, beam, construct"),
        (17, Algorithm.BEAM, auto[1], "choose from auto, constructive"),
        (4, Algorithm.IDA_STAR, Heuristic.MANHATTAN, "does not support manhattan for boards of"),
        (7, auto[0], Heuristic.PATTERN_DATABASE, "linear-conflict, manhattan"),
    ):
        goal = blank_last(Size(side, side))
        board = next(goal.neighbors())
        options = {"algorithm": algorithm, "heuristic": heuristic}
        with pytest.raises(OptionError, match=words):
            house.ask(board, goal=goal, **options)
        batch = BatchSubmission(client_id=house.client, items=[(board, goal)], **options)
        with pytest.raises(OptionError, match=f"^board 1 of the batch: .*{words}"):
            house.submit_batch(batch)
    assert house.read.jobs_of(house.client) == []
