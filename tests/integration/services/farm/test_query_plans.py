"""No frequent statement scans a table that only grows."""

from tests.support.bulk_rows import analyze, insert_finished_rows
from tests.support.query_plans import find_full_scans, measure_costs, record_statements
from tests.support.services.scripted_solver import (
    ANY,
    BOARD,
    leave_parts,
    solve_bounded,
    solve_cancelled,
    stop_without_solution,
)
from tests.support.services.service_fixture import make_service_fixture
from tests.unit.services.lab.conftest import LabServices
from tests.unit.services.lab.scripted_lab import A_STAR, run_until_cancelled
from tilework.core.errors import InputError
from tilework.core.model.history import EntryKind
from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.search.limits import Statistics
from tilework.core.services.certificates.reader import CertificateReader
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.farm.lease_renewer import LeaseRenewer
from tilework.core.services.farm.state_machine.events import SliceRunning
from tilework.core.services.jobs.batches import ReadBatch
from tilework.core.services.jobs.submit import Submission
from tilework.core.solver.target import Target, TargetKind

# Few enough to insert in a second, and enough for planners to prefer an index.
ROWS = 20_000

# How much a statement's cost may grow: less than a scan of a tenth of the rows would cost.
MAX_GROWTH = {"sqlite": 10_000, "postgresql": 400}

GOAL = blank_last(Size(3, 2))
OTHER_BOARDS = [
    Board([4, 1, 2, 5, 0, 3], 3, 2),
    Board([1, 2, 3, 0, 4, 5], 3, 2),
    Board([1, 0, 3, 4, 2, 5], 3, 2),
    Board([0, 1, 3, 4, 2, 5], 3, 2),
]
BOARD_3X3 = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])


def solve_boards(service):
    """Run every statement of the services: those of posts, polls, claims and ends of all kinds."""
    service.solver.solve_scripts.append(solve_bounded)
    first = service.request(BOARD, key="again")
    service.request(BOARD, key="again")
    poll(service, first.id)
    service.work("interactive")
    # A search in slices, whose leases are renewed, and which is parked when its job is cancelled.
    service.solver.search_scripts.append(leave_parts(0.5, 0.25))
    service.worker().run("search", "worker", lambda: len(service.solver.searches) > 0)
    assert service.claim("search") == 1
    renew_leases(service, first)
    service.cancel(first.id, service.client)
    # Leases that expire until the slice is quarantined; work that raises; a rejected option.
    second = service.request(BOARD)
    for _ in range(4):
        service.clock.advance(service.settings.lease_s + 1)
        service.reconcile.run_once()
        service.claim("search")
    service.clock.advance(service.settings.lease_s + 1)
    service.reconcile.run_once()
    service.work()
    poll(service, second.id)
    CertificateReader(service.database)(second.id)
    service.solver.solve_scripts.extend([ValueError("broken"), ValueError("broken")])
    broken_job = service.request(OTHER_BOARDS[0])
    service.work()
    service.request(OTHER_BOARDS[0])
    service.solver.solve_scripts.append(InputError("not offered"))
    service.request(OTHER_BOARDS[1])
    service.work()
    service.solver.solve_scripts.append(solve_cancelled)
    service.request(OTHER_BOARDS[2], Target(TargetKind.GAP, 0.5))
    service.work()
    service.request(OTHER_BOARDS[2], ANY)
    # A deadline, and a solve whose slice is missing.
    service.solver.solve_scripts.append(stop_without_solution)
    limited_job = service.request(BOARD_3X3, seconds=1.0)
    service.clock.advance(2.0)
    service.reconcile.run_once()
    service.read.view(limited_job.id)
    orphaned_job = service.request(OTHER_BOARDS[3])
    with service.database.writing() as session:
        session.slices.drop_all(orphaned_job.solve_id)
    service.reconcile.run_once()
    service.work()
    batch = service.submit_batch(
        Submission(client_id=service.client, boards=[(BOARD, GOAL), (OTHER_BOARDS[1], GOAL)])
    )
    service.work()
    service.read_batch.view(batch.id)
    assert len(service.read_batch.figures(batch.id)) == batch.total
    list(service.read_batch.jobs(batch.id, range(batch.total)))
    list(ReadBatch(service.database).results(batch.id))
    assert service.read.view(broken_job.id).message
    visit_pages(service)
    return first


def poll(service, job_id):
    view = service.read.view(job_id)
    service.read.view(job_id, brief=True)
    service.read.wait(job_id, view.version, 0.0)
    service.read.history(job_id)
    service.read.activity(job_id)
    service.read.estimate_batch([BOARD_3X3.size])
    service.read.gains(BOARD_3X3.size, 120, 180)
    with service.database.reading() as session:
        session.job_views.latest(job_id)
    service.read.solution(job_id)
    service.read.find_solution(BOARD, GOAL)


def renew_leases(service, job):
    """Run the statements of the lease renewer's thread for a claim."""
    renewer = LeaseRenewer(
        service.database, service.tickets, service.settings, (Queue.INTERACTIVE,)
    )
    solve = service.read_solve(job)
    renewer.farm_state(solve.id)
    with service.database.writing() as session:
        [slice_] = session.slices.expired(service.clock() + 2 * service.settings.lease_s)
        assert session.slices.needed([slice_.id], "lost") == {slice_.id}
        session.slices.renew([slice_.lease], service.clock() + service.settings.lease_s)
    effort = Statistics(generated=5, seconds=1.0)
    assert service.apply_event(SliceRunning(slice_, service.clock(), effort=effort)).is_applied
    heartbeat = Heartbeat(service.database, "worker", service.clock)
    heartbeat.beat()
    heartbeat.leave()


def visit_pages(service):
    """Read what clients can read without a job."""
    jobs = service.read.list_jobs(service.client)
    service.read.list_jobs(service.client, before=jobs[-1].id)
    service.read.queues()
    service.health.check()
    with service.database.reading() as session:
        session.operation.work()
        session.operation.quarantine()
        session.operation.workers(0.0)
        session.operation.suspensions()
        session.clients.history(service.client, tuple(EntryKind), None, 20, searched=True)
    _, secret = service.clients.create_key("machine", service.client)
    assert service.clients.authenticate(secret) == service.client
    [key] = service.clients.list_keys(service.client)
    service.clients.revoke_key(key.id)


def compare_methods(lab):
    """Run every statement of the lab."""
    first = lab.request()
    lab.request()
    lab.read.wait(first.id, lab.read.version(first.id), 0.0)
    for _ in range(3):
        lab.claim()
        lab.clock.advance(lab.settings.lease_s + 1)
        lab.reconcile.run_once()
    lab.runner.scripts.append(ValueError("broken"))
    lab.work()
    lab.runner.scripts.append(run_until_cancelled)
    other_comparison = lab.request(BOARD_3X3, goal=blank_last(Size(3, 3)), methods=[A_STAR])
    lab.work(should_stop=iter([False, False, True, True, True]).__next__)
    with lab.database.writing() as session:
        now = lab.clock()
        [claim] = session.tasks.claim(Queue.LAB, Holder("worker", now + 1), now)
        assert session.tasks.is_held(claim.lease)
        session.tasks.renew([claim.lease], now + 2)
    lab.cancel(other_comparison.id, lab.client)
    lab.request(BOARD_3X3, goal=blank_last(Size(3, 3)), methods=[A_STAR])
    lab.work()
    [ended] = lab.read.list_by_ids([first.id])
    lab.read.run(ended.runs[0].id)
    lab.read.trace(ended.runs[0].id)


def test_no_statement_scans_finished_rows(database, tmp_path):
    service = make_service_fixture(database, tmp_path)
    with record_statements(database) as statements:
        job = solve_boards(service)
        compare_methods(LabServices(database, tmp_path))
    assert len(statements) > 60
    costs_before = measure_costs(database, statements)
    solve_id = service.read_solve(job).id
    insert_finished_rows(database, ROWS, solve_id=solve_id, client_id=service.client)
    assert find_full_scans(database, statements) == []
    analyze(database)
    assert find_full_scans(database, statements) == []
    # Only now: until PostgreSQL has analyzed the tables, it may estimate their rows from one page.
    costs = measure_costs(database, statements)
    limit = MAX_GROWTH[database.dialect]
    assert [text for text in costs if costs[text] > costs_before[text] + limit] == []
