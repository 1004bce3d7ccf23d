from tests.support.services.scripted_solver import BOARD, LENGTH, longer_solution
from tilework.core.model.states import Queue
from tilework.core.puzzle.packing import unpack_board
from tilework.core.search.limits import Statistics
from tilework.core.services.farm import lease_renewer
from tilework.core.services.farm.bounds_reporter import BoundsReporter
from tilework.core.services.farm.lease_renewer import Assignment, LeaseSet
from tilework.core.services.farm.state_machine.machine import StateMachine
from tilework.core.solver.result import SearchResult


def test_nodes_of_a_running_search_are_counted_once(service, monkeypatch):
    monkeypatch.setattr(lease_renewer, "REPORT_INTERVAL_S", 0.0)
    job = service.request(BOARD)
    worker = service.worker()
    [claim] = worker._leasing.lease(Queue.INTERACTIVE, "w")
    board, goal = map(unpack_board, (claim.puzzle.board_bytes, claim.puzzle.goal_bytes))
    leases = LeaseSet([claim], "w", worker._renewer.farm_state(job.solve_id))
    leases.start(claim)
    reporter = BoundsReporter(
        Assignment(claim, board, goal, leases, bool),
        StateMachine(service.database, service.settings),
        service.clock,
    )

    def report_nodes(nodes):
        leases.report(nodes)
        if (due := leases.due_report()) is not None:
            with service.database.writing() as session:
                session.slices.report_nodes(claim.slice.lease, due)
        return service.read.activity(job.id).nodes

    assert report_nodes(100) == 100
    moves = longer_solution(board, goal)
    reporter.report(SearchResult(1, moves, "scripted", Statistics(generated=100)))
    view = service.read.view(job.id)
    assert (view.nodes, view.upper_bound) == (100, LENGTH + 2)
    assert report_nodes(100) == 100
    assert report_nodes(130) == 130
    # The total of a parallel search may lack nodes that it reported before.
    result = SearchResult(1, moves, "scripted", Statistics(generated=90))
    assert reporter.since_last_event(result).statistics.generated == 0
