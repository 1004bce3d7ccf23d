import time

import pytest

from tests.support.services.scripted_solver import (
    BOARD,
    CHECK_NODES,
    GOAL,
    LENGTH,
    leave_parts,
    search_whole_tree,
    shortest_solution,
    solve_bounded,
    solve_cancelled,
    start_search,
    stop_without_solution,
)
from tilework.core.errors import UnavailableError
from tilework.core.model.jobs import METHOD_DONE, QUARANTINE_S
from tilework.core.model.states import JobState, Queue, SliceKind, SliceState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Statistics
from tilework.core.services.farm import searcher
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.solver.result import SearchResult, SliceOutcome
from tilework.core.solver.target import Algorithm, Heuristic

OTHERS = [Board([*map(int, tiles)], 3, 2) for tiles in ("123405", "123045", "023145")]


def test_thresholds_rise_until_the_optimum_is_proven(service):
    job = start_search(service)
    assert (job.lower_bound, job.upper_bound) == (LENGTH - 2, LENGTH + 2)
    assert (service.read.activity(job.id).queue, service.read_solve(job).threshold) == (
        Queue.SEARCH,
        LENGTH - 2,
    )
    assert service.tickets.sent["search"] == 1
    second = service.request(BOARD)
    assert (second.state, second.started_at) == (JobState.RUNNING, service.clock())
    # The remaining parts are searched before the threshold rises.
    service.solver.search_scripts.append(leave_parts(0.5, 0.25))
    service.worker().run("search", "worker", lambda: bool(service.solver.searches))
    view = service.read.view(job.id)
    assert (view.lower_bound, view.progress) == (LENGTH - 2, pytest.approx(0.25))
    service.work("search")
    [record] = service.solver.checked_records
    assert record.next == LENGTH
    assert len(record.slices) == len({slice_.id for slice_ in record.slices})
    assert sum(slice_.nodes for slice_ in record.slices) == record.nodes
    assert [slice_.parent for slice_ in record.slices].count(None) == 1
    thresholds = [threshold for threshold, _ in service.solver.searches]
    assert thresholds == [LENGTH - 2] * (len(thresholds) - 1) + [LENGTH]
    view = service.read.view(job.id)
    assert (view.state, view.lower_bound, view.upper_bound) == (JobState.OPTIMAL, LENGTH, LENGTH)
    assert view.nodes == 50 + 500 + (len(thresholds) - 1) * 1_000 + CHECK_NODES
    assert service.count_slices(job) == {}
    lower_bounds = [event.lower_bound for event in service.read.history(job.id)]
    assert lower_bounds == sorted(lower_bounds)
    replay(BOARD, service.read.solution(job.id).moves, GOAL)


def test_only_an_interrupted_initial_search_is_repeated(service):
    service.solver.solve_scripts += [solve_cancelled]
    job = service.request(BOARD)
    service.work("interactive")
    assert service.read.view(job.id).state is JobState.OPTIMAL
    assert service.solver.searches == []
    service.solver.solve_scripts.append(stop_without_solution)
    job = service.request(Board([*range(1, 41), 0, 41], 7, 6))
    service.work()
    assert service.read.view(job.id).state is JobState.FAILED


def test_large_board_has_a_solution_before_its_search_begins(service, monkeypatch):
    views = []

    def fail(*_):
        raise UnavailableError("no database")

    def find_bounds(board, goal, limits, on_solution):
        first = SearchResult(4, from_letters("LRLLLL"), "constructive", Statistics(generated=7))
        # A short database outage loses no work.
        with monkeypatch.context() as patch:
            patch.setattr(searcher, "report_event", fail)
            on_solution(first)
        on_solution(first)
        views.append(service.read.view(job.id))
        return SearchResult(4, from_letters("LLLL"), "slow", Statistics(generated=10))

    goal = Board([*range(1, 15), 0, *range(15, 20)], 5, 4)
    board = Board([*range(1, 11), 0, *range(11, 20)], 5, 4)
    service.solver.progress_scripts.append(find_bounds)
    job = service.request(board, goal=goal, algorithm=Algorithm.IDA_STAR)
    service.work("interactive")
    assert service.solver.algorithms == [Algorithm.IDA_STAR]
    assert (views[0].lower_bound, views[0].upper_bound, views[0].nodes) == (4, 6, 7)
    view = service.read.view(job.id)
    assert (view.state, view.nodes) == (JobState.OPTIMAL, 10)


def test_stopped_worker_returns_slices_that_it_has_not_started(service):
    jobs = [service.request(board) for board in OTHERS]
    report = service.worker().run("interactive", "w", lambda: len(service.solver.targets) == 1)
    assert (report.done, report.has_more) == (1, True)
    states = [service.read.view(job.id).state for job in jobs]
    assert states == [JobState.OPTIMAL, JobState.QUEUED, JobState.QUEUED]
    assert service.work() == 2


@pytest.mark.parametrize("scripts", [[], [leave_parts(0.5)]], ids=["claimed", "continued"])
def test_lease_is_renewed_as_long_as_its_slice_runs(make_service, scripts):
    service = make_service(lease_s=1.0)
    job = start_search(service)

    def search_slowly(board, goal, threshold, cursor, stop):
        service.clock.advance(0.9)
        with service.database.reading() as session:
            while session.slices.expired(service.clock() + 0.5):
                time.sleep(0.01)
        service.advance_time(0.9)
        assert service.claim("search") == 0
        return search_whole_tree(board, goal, threshold, cursor, stop)

    # A worker that continues a slice keeps the lease, without another claim.
    service.solver.search_scripts += [*scripts, search_slowly]
    service.work("search")
    assert service.read.view(job.id).state is JobState.OPTIMAL
    assert len(service.solver.searches) == len(scripts) + 2


def test_slice_that_crashes_workers_is_split_then_quarantined(service):
    job = start_search(service)
    for _ in range(3):
        assert service.claim("search") == 1
        service.lose_leases()
    worker = service.worker()
    worker.run("search", "w", lambda: service.count_slices(job).get(SliceState.READY, 0) == 2)
    assert service.solver.searches == []
    assert service.claim("search") == 1
    service.lose_leases()
    assert service.count_slices(job) == {SliceState.READY: 1, SliceState.QUARANTINED: 1}
    assert service.read.view(job.id).state is JobState.RUNNING
    assert service.work("search") == 1
    view = service.read.view(job.id)
    assert (view.state, view.lower_bound) == (JobState.BOUNDED, LENGTH - 2)
    assert "suspended for an hour" in str(view.message)


def test_board_that_kills_workers_is_quarantined(service):
    job = service.request(BOARD)
    for _ in range(3):
        assert not service.read.view(job.id).finished
        assert service.claim() == 1
        service.lose_leases()
    assert service.work() == 0
    assert service.solver.targets == []
    repeated = service.request(BOARD)
    assert repeated.state is service.read.view(job.id).state is JobState.FAILED
    assert "suspended for an hour" in str(repeated.message)
    service.clock.advance(QUARANTINE_S)
    job = service.request(BOARD)
    service.work()
    assert service.read.view(job.id).state is JobState.OPTIMAL


def test_slice_that_may_crash_is_claimed_alone(service):
    jobs = [service.request(board) for board in OTHERS[:2]]
    assert service.claim() == 2
    assert service.work() == 0
    service.lose_leases()
    assert service.claim() == 1
    service.lose_leases()
    assert service.work() == 2
    assert {service.read.view(job.id).state for job in jobs} == {JobState.OPTIMAL}


def test_database_outage_is_not_counted_as_an_attempt(service):
    job = start_search(service)
    for _ in range(4):
        service.solver.search_scripts.append(UnavailableError("no database"))
        with pytest.raises(UnavailableError):
            service.work("search")
    service.work("search")
    assert service.read.view(job.id).state is JobState.OPTIMAL


def test_moves_that_do_not_solve_the_board_are_rejected(service):
    job = start_search(service)

    def omit_last_move(board, goal, threshold, cursor, stop):
        return SliceOutcome(1, None, from_letters(shortest_solution(board, goal))[:-1], (), "x")

    service.solver.search_scripts.append(omit_last_move)
    service.work("search")
    assert service.read.view(job.id).upper_bound == LENGTH
    replay(BOARD, service.read.solution(job.id).moves, GOAL)


AUTO, BEAM, CONSTRUCTIVE = Algorithm.AUTO, Algorithm.BEAM, Algorithm.CONSTRUCTIVE
A_STAR, IDA_STAR = Algorithm.A_STAR, Algorithm.IDA_STAR


def read_initial_searches(service, job):
    with service.database.reading() as session:
        groups = session.slices.groups(job.solve_id)
    return {str(group.config) for group in groups if group.kind is SliceKind.INITIAL}


def test_jobs_of_one_config_share_an_initial_search(service):
    algorithms = (CONSTRUCTIVE, BEAM, AUTO, AUTO)
    jobs = [service.request(BOARD, algorithm=algorithm) for algorithm in algorithms]
    other_job = service.request(BOARD, algorithm=A_STAR, heuristic=Heuristic.MANHATTAN)
    quick = {"constructive:auto", "auto:auto", "a-star:manhattan"}
    assert read_initial_searches(service, other_job) == {*quick, "beam:auto"}
    # A waiting slice is withdrawn when its last job is cancelled.
    service.cancel(jobs[1].id, service.client)
    service.cancel(jobs[2].id, service.client)
    assert read_initial_searches(service, other_job) == quick


def test_job_ends_with_its_own_algorithm_which_runs_once(service):
    service.solver.solve_scripts.append(solve_bounded)
    quick = service.request(BOARD, algorithm=CONSTRUCTIVE)
    proof_job = service.request(BOARD)
    service.worker().run("interactive", "w", lambda: len(service.solver.algorithms) == 1)
    view = service.read.view(quick.id)
    assert (view.state, view.message) == (JobState.BOUNDED, METHOD_DONE)
    assert not service.read.view(proof_job.id).finished
    repeated = service.request(BOARD, algorithm=CONSTRUCTIVE)
    assert repeated.cached
    assert (repeated.state, repeated.message) == (JobState.BOUNDED, METHOD_DONE)
    service.work()
    assert service.solver.algorithms == [CONSTRUCTIVE, AUTO]
    assert service.read.view(proof_job.id).state is JobState.OPTIMAL
    assert service.read.view(quick.id) == view


def test_long_thin_board_is_solved_despite_its_time_limit(make_service, pattern_databases):
    service = make_service(open_slice_s=1e-6)
    service.solver = LocalSolver(pattern_databases)
    goal = blank_last(Size(40, 2))
    board = scramble(goal.size, goal, seed=1)
    job = service.request(board, goal=goal)
    service.worker().run("interactive", "w", lambda: False)
    replay(board, service.read.solution(job.id).moves, goal)
    goal = blank_last(Size(3_000, 2))
    job = service.request(next(goal.neighbors()), goal=goal)
    assert service.read.activity(job.id).queue is Queue.SEARCH
