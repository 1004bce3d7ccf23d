import pytest

from tests.support.services.scripted_solver import ANY, shortest_solution, solve_bounded
from tests.support.services.service_fixture import options
from tilework.core.errors import (
    ConflictError,
    OptionError,
    OverloadError,
    QuotaError,
)
from tilework.core.model.states import JobState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.audit import audit
from tilework.core.services.jobs.submit import LARGE_BOARD_DELAY_S, Submission, check_board
from tilework.core.solver.target import Algorithm, Target, TargetKind

BOARD = Board([4, 1, 2, 5, 0, 3], 3, 2)
OTHER = Board([1, 2, 3, 0, 4, 5], 3, 2)
GOAL = blank_last(Size(3, 2))


def test_fresh_request_is_searched_despite_a_stored_solution(service):
    service.request(BOARD)
    service.work()
    cached = service.request(BOARD, algorithm=Algorithm.A_STAR)
    assert cached.cached
    assert "a-star was not run" in str(cached.message)
    assert service.request(BOARD).message is None
    changes = {"algorithm": Algorithm.A_STAR, "fresh": True}
    fresh = [service.request(BOARD, key=key, **changes) for key in "aab"]
    assert len({job.id for job in fresh}) == 2
    assert {(job.state, job.cached) for job in fresh} == {(JobState.QUEUED, False)}
    service.work()
    ended_job = service.read.view(fresh[0].id)
    assert (ended_job.state, ended_job.nodes) == (JobState.OPTIMAL, 100)
    assert ended_job.lower_bound == len(shortest_solution(BOARD, GOAL))
    assert service.solver.algorithms[-2:] == [Algorithm.A_STAR] * 2
    assert audit(service.database).damaged == 0


def test_boards_with_too_long_solutions_are_rejected(service):
    for size in (Size(3, 5_998), Size(900, 100), Size(300, 300), Size(1, 32_768)):
        board = blank_last(size)
        check_board(board, board, options(), service.settings)
    for size in (Size(3, 5_999), Size(30_000, 3)):
        board = blank_last(size)
        with pytest.raises(OptionError, match="at most 5998 for the longer one"):
            check_board(board, board, options(), service.settings)
    # The boards of a small service are never too long.
    board = blank_last(Size(2, 50))
    settings = service.settings.model_copy(update={"max_cells": 100})
    check_board(board, board, options(), settings)


def test_cached_job_is_stored(service):
    service.solver.solve_scripts.append(solve_bounded)
    service.request(BOARD, ANY)
    service.work()
    for target in (ANY, Target(TargetKind.GAP, 10.0), Target()):
        if target == Target():
            assert service.request(BOARD).state is JobState.QUEUED
            service.work()
        for brief in (False, True):
            submission = Submission(
                client_id=service.client, boards=[(GOAL, BOARD)], options=options(target, 30)
            )
            view = service.submit(submission, brief=brief)
            assert view.cached
            assert view.model_copy(update={"solution": None}) == service.read.view(
                view.id, brief=brief
            )
            solution = service.read.solution(view.id)
            assert view.solution.moves.tolist() == solution.moves.tolist()
            assert view.solution.lower_bound == solution.lower_bound
            replay(GOAL, view.solution.moves, BOARD)


def test_small_boards_precede_slightly_older_large_ones(service):
    goal = blank_last(Size(5, 5))
    large = [service.request(scramble(goal.size, goal, seed), goal=goal) for seed in range(3)]
    small = service.request(BOARD)
    assert [service.read.activity(job.id).queue_position for job in (small, *large)] == [0, 1, 2, 3]
    service.clock.advance(LARGE_BOARD_DELAY_S)
    later = service.request(OTHER)
    assert service.read.activity(later.id).queue_position == 4


def test_key_of_a_rejected_request_can_be_used_again(make_service):
    service = make_service(jobs_per_client=1, depth_cap=2)
    service.request(BOARD)
    with pytest.raises(QuotaError):
        service.request(OTHER, key="k")
    assert service.request(OTHER, client=service.clients.new()).state is JobState.QUEUED
    with pytest.raises(OverloadError):
        service.request(GOAL, goal=BOARD, client=service.clients.new())
    service.work()
    assert service.request(OTHER, key="k").cached


def test_idempotency_key_gives_the_same_job_for_the_same_request(service):
    job = service.request(BOARD, key="k")
    board, goal = next(BOARD.neighbors()), next(GOAL.neighbors())
    options = [{"target": ANY}, {"seconds": 7.0}, {"metric": Metric.SLIDES}]
    options.append({"algorithm": Algorithm.IDA_STAR})
    for changes in [{"board": board}, {"goal": goal}, *options]:
        with pytest.raises(ConflictError, match="'k'"):
            service.request(**{"board": BOARD, "key": "k"} | changes)
    service.work()
    assert service.request(BOARD, key="k").id == job.id
    assert service.request(BOARD, key="other").id != job.id
    assert service.request(BOARD, key="k", client=service.clients.new()).id != job.id


def test_secrets_are_not_stored_and_keys_are_revoked_once(service):
    key, secret = service.clients.create_key("laptop")
    with service.database.engine(writes=False).connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM api_key").all()
    assert secret.removeprefix("tw_") not in repr(rows)
    revoked = service.clients.revoke_key(key.id)
    assert revoked.revoked_at == service.clock()
    service.clock.advance(5)
    assert service.clients.revoke_key(key.id) == revoked


def test_names_of_keys_can_be_shown_on_one_line(service):
    for name in ("x" * 201, "", " ", "a\nb", "a\0b", "\x1b[2J", "a\u202eb"):
        with pytest.raises(OptionError, match="a key cannot be named '") as error:
            service.clients.create_key(name)
        assert str(error.value).isprintable()
        assert len(str(error.value)) < 300
    key, _ = service.clients.create_key("Zoë's laptop, 2nd")
    assert service.clients.list_keys() == [key]
