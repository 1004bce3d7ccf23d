import threading
from functools import partial

import pytest

from tests.support.services.scripted_solver import (
    BOARD,
    LENGTH,
    OTHER,
    ScriptedSolver,
    longer_solution,
)
from tilework.core.errors import UnavailableError
from tilework.core.model.farm.estimate import (
    add_effort,
    add_slice,
    begin_threshold,
    node_rate,
)
from tilework.core.model.farm.solves import Bounds, Iteration, SliceResult, Solve
from tilework.core.model.farm.workload import (
    HEARTBEAT_INTERVAL_S,
    MAX_PREPARATION_S,
    MIN_UNIT_S,
    WORKER_TIMEOUT_S,
    FarmState,
    WorkReport,
    max_parts,
)
from tilework.core.model.leases import HeldLeases, LeaseThread
from tilework.core.model.states import JobState, Queue, SolveState
from tilework.core.puzzle.packing import unpack_board
from tilework.core.search.limits import Statistics
from tilework.core.services.farm import lease_renewer
from tilework.core.services.farm.heartbeat import FORGET_AFTER_S, Heartbeat
from tilework.core.services.farm.lease_renewer import LeaseSet
from tilework.core.services.farm.searcher import Assignment, split_work
from tilework.core.services.farm.slice_worker import SliceWorker
from tilework.core.solver.result import SearchResult, WorkUnit


def read_farm_state(service, since=None):
    since = service.clock() - WORKER_TIMEOUT_S if since is None else since
    with service.database.reading() as session:
        return session.workers.farm_state("none", (Queue.INTERACTIVE, Queue.BATCH), since)


def test_worker_is_counted_until_its_heartbeat_times_out(service):
    first = Heartbeat(service.database, "first", service.clock)
    second = Heartbeat(service.database, "second", service.clock)
    assert read_farm_state(service) == FarmState()
    first.beat()
    second.beat()
    assert read_farm_state(service).workers == 2
    second.leave()
    # The next heartbeat is only sent after an interval.
    second.beat()
    assert read_farm_state(service).workers == 1
    service.clock.advance(HEARTBEAT_INTERVAL_S)
    second.beat()
    assert read_farm_state(service).workers == 2
    service.clock.advance(WORKER_TIMEOUT_S - 1)
    assert read_farm_state(service).workers == 1
    # Workers that have exited are deleted after a while.
    service.clock.advance(FORGET_AFTER_S + 1)
    Heartbeat(service.database, "new", service.clock).beat()
    assert read_farm_state(service, since=0.0).workers == 1


def test_time_limit_of_a_job_starts_once_a_worker_is_ready(service):
    early = service.request(OTHER, seconds=5)
    first = Heartbeat(service.database, "first", service.clock)
    second = Heartbeat(service.database, "second", service.clock)
    first.report_preparing(12)
    second.report_preparing(12)
    job = service.request(BOARD, seconds=5)
    assert read_farm_state(service).workers == 0
    assert service.read.activity(job.id).preparing_s == pytest.approx(12)
    assert service.health.check().preparing_s == pytest.approx(12)
    service.advance_time(6)
    assert service.read.view(early.id).finished
    assert service.read.activity(job.id).preparing_s == pytest.approx(6)
    service.advance_time(3)
    first.report_ready()
    assert service.read.activity(job.id).preparing_s is None
    service.advance_time(3)
    # The time starts with the first ready worker, and only once.
    second.report_ready()
    assert read_farm_state(service).workers == 2
    assert not service.read.view(job.id).finished
    service.advance_time(3)
    assert service.read.view(job.id).state is JobState.EXPIRED


def test_time_limit_of_a_job_submitted_during_preparation_starts(service):
    worker = Heartbeat(service.database, "w", service.clock)
    worker.report_ready()
    job = service.request(BOARD, seconds=5)
    with service.database.writing() as session:
        session.jobs.extend_deadlines(job.solve_id, MAX_PREPARATION_S)
    service.clock.advance(HEARTBEAT_INTERVAL_S)
    worker.beat()
    service.advance_time(6)
    assert service.read.view(job.id).state is JobState.EXPIRED


def test_deadlines_are_extended_by_compile_time(service, monkeypatch):
    # Compile time passes between readings; the time before this job does not count.
    readings = (3.0 + tenth / 10 for tenth in range(71))
    monkeypatch.setattr(lease_renewer, "load_wait_s", lambda: next(readings))
    job = service.request(BOARD, seconds=5)
    worker = service.worker()
    [claim] = worker.lease(Queue.INTERACTIVE, "w")
    with worker._renewer.hold([claim], "w") as leases:
        leases.start(claim)
    for _ in range(70):
        worker._renewer._check(leases, set())
    service.advance_time(11.7)
    assert not service.read.view(job.id).finished
    service.advance_time(0.4)
    assert service.read.view(job.id).finished


def test_boards_wait_for_workers_that_support_their_size(service):
    service.request(BOARD)
    supported_cells = 4
    arguments = (service.database, service.tickets, service.settings, service.solver)
    worker = SliceWorker(*arguments, max_cells=lambda: supported_cells)
    assert worker.run("interactive", "w", lambda: False) == WorkReport(0, False)
    supported_cells = BOARD.size.cells
    assert worker.run("interactive", "w", lambda: False).done == 1


def test_largest_units_are_split_while_it_saves_time():
    split = ScriptedSolver().split
    units = split_work(split, BOARD, [WorkUnit(b"a:0.2", 0.2), WorkUnit(b"b:0.6", 0.6)], 4)
    assert [unit.cursor.split(b":")[0] for unit in units] == [b"a", b"baa", b"bb", b"bab"]
    assert sum(unit.share for unit in units) == pytest.approx(0.8)
    assert len(split_work(split, BOARD, [WorkUnit(b"a:0.015", 0.015)], 5)) == 1
    assert [max_parts(MIN_UNIT_S * factor) for factor in (0.5, 5.5)] == [1, 6]
    # With more workers, which share one lock, a part must be longer.
    assert max_parts(1.05, workers=8) == max_parts(1.05) == max_parts(10.5, workers=512) == 11


SOLVE = Solve("id", "key", 25, Bounds(80, 100), SolveState.ACTIVE, None, None, 0.0, 0, 0, 0.0)


def estimate_rate(solve, now):
    return node_rate(solve.recent_nodes, solve.recent_s, solve.rate_at, now)


def advance(solve, *slices):
    """Add slices of threshold 80, each as (end time, nodes, seconds, covered share)."""
    for end, nodes, seconds, covered in slices:
        solve = add_effort(solve, nodes, end - seconds, end)
        solve = add_slice(solve, 80, SliceResult(nodes, 82, "5x5 lines", seconds), covered)
    return solve


def test_node_rates_add_up_and_adapt():
    slices = [(100.0 + n, 500, 1.0, 0.0) for n in range(1, 41)]
    solve = advance(begin_threshold(SOLVE, 80), *slices)
    assert estimate_rate(solve, 140.5) == pytest.approx(500)
    assert solve.wall_s == pytest.approx(40)
    doubled = sorted([*slices, *((end + 0.5, *values) for end, *values in slices)])
    solve = advance(begin_threshold(SOLVE, 80), *doubled)
    assert estimate_rate(solve, 141.0) == pytest.approx(1_000, rel=0.02)
    assert solve.wall_s == pytest.approx(40.5)
    solve = advance(solve, *((140.5 + n, 100, 1.0, 0.0) for n in range(1, 31)))
    assert 100 < estimate_rate(solve, 171.0) < 150


def test_marks_record_nodes_and_shares():
    solve = advance(begin_threshold(SOLVE, 80), (1, 10, 1, 0.1), (2, 10, 1, 0.4), (3, 10, 1, 1.0))
    assert solve.iterations == (Iteration(80, 30, 3, ((10, 0.1), (20, 0.4), (30, 1.0))),)
    assert solve.covered == 1.0
    # A slice of another threshold is counted only in the rate.
    solve = advance(begin_threshold(SOLVE, 82), (1, 10, 1, 0.0))
    assert (solve.iterations, solve.recent_nodes) == ((Iteration(82),), 10)


@pytest.fixture
def running_search(service, monkeypatch):
    """A claimed initial search: its job, its leases and what reports its bounds."""
    monkeypatch.setattr(lease_renewer, "REPORT_INTERVAL_S", 0.0)
    job = service.request(BOARD)
    worker = service.worker()
    [claim] = worker.lease(Queue.INTERACTIVE, "w")
    board, goal = map(unpack_board, (claim.puzzle.board_bytes, claim.puzzle.goal_bytes))
    leases = LeaseSet([claim], "w", worker._renewer.farm_state(job.solve_id))
    leases.start(claim)
    work = Assignment(claim, board, goal, leases, bool, service.clock())
    return job, work, partial(worker._searcher.report_bounds, work)


def test_nodes_of_a_running_search_are_counted_once(service, running_search):
    job, work, report_bounds = running_search
    renewer = service.worker()._renewer

    def report_nodes(nodes):
        work.leases.report(nodes)
        renewer._check(work.leases, {work.claim.slice.id})
        activity = service.read.activity(job.id)
        assert activity.nodes == service.read.view(job.id).nodes
        return activity.nodes, activity.work[0].nodes

    assert report_nodes(100) == (100, 100)
    moves = longer_solution(work.board, work.goal)
    report_bounds(SearchResult(1, moves, "scripted", Statistics(generated=110)))
    view = service.read.view(job.id)
    assert (view.nodes, view.upper_bound) == (110, LENGTH + 2)
    assert report_nodes(110) == (110, 110)
    assert report_nodes(130) == (130, 130)
    # The total of a parallel search may lack nodes that it reported before.
    assert report_nodes(90) == (130, 130)
    solve = service.read_solve(job)
    assert 0 < solve.seconds == solve.wall_s <= work.leases.searched_s()


def test_search_that_is_not_needed_ends_although_a_later_job_needs_it(running_search):
    _, work, _ = running_search
    ids = [work.claim.slice.id]
    work.leases.drop_unneeded(ids, [])
    work.leases.drop_unneeded(ids, ids)
    assert not work.leases.is_needed(work.claim)


def test_effort_that_could_not_be_stored_counts_later(running_search):
    _, work, _ = running_search
    work.leases.report(70)
    with pytest.raises(UnavailableError), work.leases.counting() as effort:
        raise UnavailableError("database", "gone")
    with work.leases.counting() as again:
        assert again.generated == effort.generated == 70
        assert again.seconds >= effort.seconds
    with work.leases.counting() as rest:
        assert rest.generated == 0


def test_end_of_a_slice_waits_for_a_report_under_way(running_search):
    """So the end does not count what the report counts, and the report comes before the end."""
    _, work, _ = running_search
    work.leases.report(70)
    is_reporting, may_end = threading.Event(), threading.Event()
    efforts = []

    def report():
        with work.leases.counting() as effort:
            is_reporting.set()
            may_end.wait(60)
            efforts.append(effort.generated)

    def end():
        with work.leases.counting() as effort:
            efforts.append(effort.generated)

    threads = [threading.Thread(target=report), threading.Thread(target=end)]
    threads[0].start()
    assert is_reporting.wait(60)
    work.leases.report(75)
    threads[1].start()
    may_end.set()
    for thread in threads:
        thread.join(60)
    assert efforts == [70, 5]


def test_one_thread_renews_leases_one_after_another():
    lease_thread, threads, errors = LeaseThread(), [], [OSError("no database")]

    def check():
        threads.append(threading.get_ident())
        if errors:
            raise errors.pop()
        return 0.0

    for _ in range(3):
        renewed = threading.Event()
        leases = HeldLeases(check, renewed.set, lease_s=0.0, first_pause_s=0.0)
        with lease_thread.hold(leases):
            assert renewed.wait(30)
        count = len(threads)
        leases.check()
        assert len(threads) == count  # nothing is checked after the end
    assert len(threads) > 3
    assert len({*threads}) == 1
