"""Threads that submit and work at the same time: PostgreSQL, unlike SQLite, lets them all write."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

from sqlalchemy import func, select

from tests.support.bulk_rows import insert_finished_rows
from tests.support.query_plans import find_full_scans, measure_costs, record_statements
from tests.support.services.scripted_solver import BOARD, GOAL, ScriptedSolver, start_search
from tests.support.services.service_fixture import make_service_fixture
from tests.unit.services.lab.conftest import LabServices
from tests.unit.services.lab.scripted_lab import A_STAR, BREADTH_FIRST, GREEDY
from tilework.core.lab.methods import Method
from tilework.core.model.states import JobState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.scramble import scramble
from tilework.core.services import purger as purger_module
from tilework.core.services.jobs.submit import Submission
from tilework.core.services.purger import DAY_S, Purger
from tilework.core.storage.clients import ClientRepository
from tilework.core.storage.models import job

BOARDS = [scramble(Size(3, 2), GOAL, seed) for seed in range(30)]


def test_batches_do_not_deadlock(service, monkeypatch):
    claim = ClientRepository.claim_request
    barrier = Barrier(4, timeout=1)

    def claim_together(*arguments, **options):
        earlier = claim(*arguments, **options)
        with suppress(BrokenBarrierError):  # SQLite has a single writer
            barrier.wait()
        return earlier

    monkeypatch.setattr(ClientRepository, "claim_request", claim_together)

    def submit(key, step):
        boards = [(board, GOAL) for board in BOARDS[::step]]
        service.submit_batch(
            Submission(boards=boards, client_id=service.client, idempotency_key=key)
        )

    with ThreadPoolExecutor(5) as pool:
        calls = [
            pool.submit(submit, key, step) for key, step in zip("abcd", (1, -1, 1, -1), strict=True)
        ]
        for call in [*calls, pool.submit(service.work, "batch")]:
            call.result()
    service.work("batch")
    assert service.read.statistics().jobs == {JobState.OPTIMAL: 120}


def test_workers_share_a_queue_without_duplicate_work(service):
    jobs = [service.request(board) for board in BOARDS[:4]]
    solvers = [ScriptedSolver() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for index, solver in enumerate(solvers):
            pool.submit(service.worker(solver).run, "interactive", f"w{index}", lambda: False)
    assert sum(len(solver.targets) for solver in solvers) == len(jobs)
    assert {service.read.view(job.id).state for job in jobs} == {JobState.OPTIMAL}


def test_comparisons_share_runs(database, tmp_path):
    lab = LabServices(database, tmp_path)
    methods = [A_STAR, BREADTH_FIRST, GREEDY, Method.from_text("ida-star:manhattan")]
    clients = [lab.clients.new() for _ in range(3)]
    orders = [(client, methods[::order]) for client in clients for order in (1, -1)]
    with ThreadPoolExecutor(6) as pool:
        calls = [pool.submit(lab.request, BOARD, order, client=client) for client, order in orders]
    views = [call.result() for call in calls]
    assert len({view.id for view in views}) == 6
    assert len({run.id for view in views for run in view.runs}) == 4
    assert lab.work() == 4


def count_jobs(database):
    with database.engine(writes=False).connect() as connection:
        return int(connection.execute(select(func.count()).select_from(job)).scalar_one())


def test_old_rows_are_deleted_in_small_steps_with_an_index(database, tmp_path, monkeypatch):
    service = make_service_fixture(database, tmp_path)
    service.clock.now = time.time()
    solve_id = service.read_solve(start_search(service)).id
    insert_finished_rows(database, 10_000, solve_id=solve_id, client_id=service.client)
    # So few that every plan should clearly prefer an index to a scan.
    monkeypatch.setattr(purger_module, "MAX_ROWS", 10)
    first_purger = Purger(database, service.settings)
    with record_statements(database) as statements:
        for _ in range(3):
            first_purger.run_once()
        for kind in purger_module.Kind:
            first_purger._drop_old(kind)
    assert find_full_scans(database, statements) == []
    limit = {"sqlite": 25_000, "postgresql": 2_500}[database.dialect]
    costs = measure_costs(database, statements)
    assert [text for text, cost in costs.items() if cost > limit] == []
    assert 0 < count_jobs(database) < 10_000


def test_two_purgers_can_delete_at_the_same_time(database, tmp_path):
    service = make_service_fixture(database, tmp_path)
    service.clock.now = time.time()  # because ids contain today's date
    for _ in range(20):
        service.request(BOARD, seconds=60.0)
    service.work()
    service.clock.advance(100 * DAY_S)
    recent_job = service.request(Board([4, 1, 2, 5, 0, 3], 3, 2))
    purgers = [Purger(service.database, service.settings) for _ in range(2)]
    for purger in purgers:
        purger._rows = 7
    with service.database.writing() as session:
        locked_jobs = session.retention.old_jobs(service.clock() - 90 * DAY_S, 7)
        assert len(locked_jobs) == 7
        if service.database.dialect == "postgresql":
            # Each skips the rows that the other has locked.
            assert purgers[1]._drop_jobs()
        session.retention.drop_jobs([job.id for job in locked_jobs])
    while purgers[0]._drop_jobs() or purgers[1]._drop_jobs():
        pass
    assert count_jobs(database) == 1
    assert not service.read.view(recent_job.id).finished
