import pytest

from tests.support.naive import count_slides
from tests.support.services.scripted_slides import (
    ScriptedSlidesSolver,
    min_slides,
    solve_in_fewest_slides,
    stop_at_time_limit,
)
from tests.support.services.scripted_solver import (
    BOARD,
    GOAL,
    LENGTH,
    longer_solution,
    update_row,
)
from tilework.core.errors import DamagedSolveError
from tilework.core.model.jobs import WITHDRAWN
from tilework.core.model.states import JobState, Queue
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import pack
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.storage.models import solve

FEWEST = min_slides(BOARD, GOAL)


@pytest.fixture
def sliding(service):
    service.solver = ScriptedSlidesSolver()
    return service


def request_slides(service, board=BOARD, **options):
    return service.request(board, metric=Metric.SLIDES, **options)


def check_solved(service, job, board=BOARD, goal=GOAL):
    view, solution = service.read.view(job.id), service.read.solution(job.id)
    assert (view.options.metric, view.state) == (Metric.SLIDES, JobState.OPTIMAL)
    assert view.lower_bound == view.upper_bound == count_slides(solution.moves) == FEWEST
    assert (solution.metric, solution.optimal) == (Metric.SLIDES, True)
    replay(board, solution.moves, goal)


def solve_job(service):
    job = request_slides(service)
    service.work()
    check_solved(service, job)
    return job


def test_solution_is_shared_by_all_jobs_and_symmetric_boards(sliding):
    jobs = [request_slides(sliding, client=sliding.clients.new()) for _ in range(2)]
    sliding.work()
    # The same puzzle with start and goal exchanged.
    other_job = request_slides(sliding, GOAL, goal=BOARD, client=sliding.clients.new())
    assert (other_job.cached, other_job.state) == (True, JobState.OPTIMAL)
    check_solved(sliding, other_job, GOAL, BOARD)
    for job in jobs:
        check_solved(sliding, job)
    assert sliding.solver.calls == 1


def test_slow_search_moves_to_the_search_queue(sliding):
    sliding.solver.scripts += [RuntimeError("failed"), stop_at_time_limit]
    job = request_slides(sliding)
    assert sliding.work("interactive") == 2
    view = sliding.read.view(job.id)
    assert (view.state, sliding.read.activity(view.id).queue) == (JobState.RUNNING, Queue.SEARCH)
    assert view.upper_bound is not None
    short = sliding.request(next(BOARD.neighbors()))

    def wait_for_short_job(board, goal, limits, view):
        while not sliding.read.view(short.id).finished:
            assert not limits.cancelled()
        return solve_in_fewest_slides(board, goal, limits, view)

    sliding.solver.scripts.append(wait_for_short_job)
    sliding.worker().run(Queue.SEARCH, "w", lambda: sliding.read.view(job.id).finished)
    check_solved(sliding, job)


@pytest.mark.parametrize(
    "values",
    [
        {"lower_bound": 1, "upper_bound": 1},
        {"moves": pack(longer_solution(BOARD, GOAL))},
        {"iterations": "[]"},
    ],
)
def test_damaged_solve_is_solved_again(sliding, values):
    job = solve_job(sliding)
    update_row(sliding, solve, **values)
    with pytest.raises(DamagedSolveError):
        sliding.read.solution(job.id)
    assert sliding.read.solution(job.id) is None
    assert sliding.read.view(job.id).message == WITHDRAWN
    in_moves = sliding.request(BOARD)
    repeated = request_slides(sliding)
    sliding.work()
    check_solved(sliding, repeated)
    check_solved(sliding, job)
    assert len(sliding.read.solution(in_moves.id).moves) == LENGTH


def test_real_solver_bounds_large_boards(service, pattern_databases, monkeypatch):
    service.solver = LocalSolver(pattern_databases)
    monkeypatch.setattr("tilework.core.services.farm.searcher.LONG_INITIAL_SEARCH_S", 1e-6)
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, 1)
    job = request_slides(service, board)
    assert (service.read.activity(job.id).queue, job.lower_bound) == (
        Queue.SEARCH,
        -(-board.manhattan(goal) // 4),
    )
    service.work("search")
    view = service.read.view(job.id)
    assert (view.state, view.message.code) == (JobState.BOUNDED, "slides-not-counted-out")
    assert view.lower_bound < view.upper_bound == count_slides(service.read.solution(job.id).moves)
    repeated = request_slides(service, board)
    assert (repeated.state, repeated.cached) == (JobState.BOUNDED, True)
