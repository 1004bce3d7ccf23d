import time

import pytest
from sqlalchemy import update

from tests.support.services.scripted_solver import (
    solve_bounded,
    solve_cancelled,
)
from tilework.core.model.farm.estimate import MAX_FACTOR, remaining_nodes, remaining_threshold_nodes
from tilework.core.model.farm.solves import Iteration
from tilework.core.model.states import JobState, SliceState, SolveState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.solver.result import SliceOutcome, WorkUnit
from tilework.core.storage.models import job as job_table
from tilework.core.storage.models import solve

BOARD = Board([4, 1, 2, 5, 0, 3], 3, 2)


def test_job_changes_until_it_has_ended(service):
    service.solver.solve_scripts.append(solve_bounded)
    job, other = service.request(BOARD), service.request(BOARD)
    versions = {job.version, service.read.version(job.id)}
    service.work("interactive")
    versions.add(service.read.version(job.id))
    cancelled_job = service.cancel(job.id, service.client)
    versions.add(cancelled_job.version)
    assert len(versions) == 3
    assert cancelled_job == service.read.view(job.id)
    events = service.read.history(job.id)
    service.clock.advance(1)
    service.work("search")
    view = service.read.view(other.id)
    assert view.state is JobState.OPTIMAL
    assert service.read.activity(view.id).queue_position is None
    view = service.read.view(job.id)
    for name in ("version", "upper_bound", "lower_bound"):
        assert getattr(view, name) == getattr(cancelled_job, name)
    assert service.read.history(job.id) == events
    assert service.read.solution(job.id).optimal


def test_statistics_report_the_quality_of_solutions_of_large_boards(service):
    rows = ((40, 50, "active"), (40, 60, "idle"), (40, 40, "settled"), (40, None, "active"))
    size = Size(5, 4)
    for seed, (lower, upper, state) in enumerate([*rows, (0, 9, "active")]):
        solve_id = service.read_solve(service.request(scramble(size, blank_last(size), seed))).id
        values = {"lower_bound": lower, "upper_bound": upper, "state": state}
        with service.database.engine(writes=True).begin() as connection:
            connection.execute(update(solve).where(solve.c.id == solve_id).values(values))
    [statistics] = service.read.statistics().sizes
    assert (statistics.puzzles, statistics.solved) == (5, 4)
    assert (statistics.optimal, statistics.longest) == (1, 40)
    assert (statistics.best_ratio, statistics.mean_ratio) == (1.25, 1.375)


def test_batch_is_estimated_from_recent_jobs_of_its_sizes(service):
    service.request(BOARD)
    service.work()
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(update(job_table).values(wall_s=6.0))
    assert service.read.estimate_batch([BOARD.size]) is None
    for name in ("v", "w"):
        Heartbeat(service.database, name, service.clock).beat()
    assert service.read.estimate_batch([BOARD.size] * 10) == (30.0, 2)
    assert service.read.estimate_batch([BOARD.size, Size(9, 9)]) is None


def test_running_slice_stops_and_keeps_its_cursor(service):
    service.solver.solve_scripts.append(solve_bounded)
    job = service.request(BOARD)
    service.work("interactive")

    def search_until_stopped(board, goal, threshold, cursor, stop):
        service.cancel(job.id, service.client)
        while not stop():
            time.sleep(0.001)
        return SliceOutcome(123, None, None, (WorkUnit(b"part:0.4", 0.4),), "x")

    service.solver.search_scripts.append(search_until_stopped)
    service.work("search")
    solve = service.read_solve(job)
    assert (solve.state, solve.nodes) == (SolveState.IDLE, 50 + 123)
    assert set(service.count_slices(job)) == {SliceState.PARKED}
    repeated = service.request(BOARD)
    assert repeated.progress == pytest.approx(0.6)
    service.work("search")
    assert service.read.view(repeated.id).state is JobState.OPTIMAL
    assert service.solver.searches[1][1].startswith(b"part")


def test_initial_search_without_jobs_stops(service):
    job = service.request(BOARD)

    def search_until_cancelled(board, goal, limits):
        service.cancel(job.id, service.client)
        while not limits.cancelled():
            time.sleep(0.001)
        return solve_cancelled(board, goal, limits)

    service.solver.solve_scripts.append(search_until_cancelled)
    service.work()
    assert service.count_slices(job) == {}
    assert service.read_solve(job).state is SolveState.IDLE


def is_within(estimate, nodes):
    assert 1 <= estimate.factor <= MAX_FACTOR
    return estimate.nodes / estimate.factor <= nodes <= estimate.nodes * estimate.factor


def make_iterations(growth, covered):
    """Return iterations that grow evenly, with exact shares; `covered` of the last is complete."""
    iterations = []
    for index in range(4):
        size = round(10_000 * growth**index)
        marks = tuple((round(size * part / 10), part / 10) for part in range(1, 10))
        iterations.append(Iteration(60 + 2 * index, size, 1.0, marks))
    last = iterations[-1]
    iterations[-1] = Iteration(last.threshold, round(last.nodes * covered), 1.0)
    return iterations, last.nodes


def test_even_growth_is_extrapolated_to_future_thresholds():
    for covered in (0.01, 0.5, 0.99):
        iterations, size = make_iterations(6.0, covered)
        threshold = iterations[-1].threshold
        near = remaining_nodes(iterations, covered, threshold + 2)
        assert is_within(near, size * (1 - covered))
        assert near.factor < 6
        whole = remaining_threshold_nodes(iterations, covered)
        assert whole.nodes == pytest.approx(size * (1 - covered), rel=0.2)
        assert is_within(whole, size * (1 - covered))
        assert near.nodes < whole.nodes  # the last threshold can end early
    iterations, size = make_iterations(6.0, 0.5)
    far = remaining_nodes(iterations, 0.5, iterations[-1].threshold + 6)
    assert is_within(far, size * (0.5 + 6 + 36))


def test_nothing_is_estimated_without_data():
    for iterations in ([], [Iteration(60)]):
        assert remaining_nodes(iterations, 0.0, 80) is None
        assert remaining_threshold_nodes(iterations, 0.0) is None
    iterations, _ = make_iterations(6.0, 0.5)
    for end in (None, iterations[-1].threshold + 40):
        assert remaining_nodes(iterations, 0.5, end) is None
