import threading
from functools import partial

import pytest

from tests.support.services.scripted_solver import BOARD, LENGTH, longer_solution
from tilework.core.errors import UnavailableError
from tilework.core.model.states import Queue
from tilework.core.puzzle.packing import unpack_board
from tilework.core.search.limits import Statistics
from tilework.core.services.farm import lease_renewer
from tilework.core.services.farm.lease_renewer import LeaseSet
from tilework.core.services.farm.searcher import Assignment
from tilework.core.solver.result import SearchResult


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
