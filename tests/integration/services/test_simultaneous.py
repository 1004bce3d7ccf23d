"""Threads that submit and work at the same time: PostgreSQL, unlike SQLite, lets them all write."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

from tests.support.services.scripted_solver import GOAL, ScriptedSolver
from tests.unit.services.lab.conftest import LabServices
from tests.unit.services.lab.scripted_lab import A_STAR, BOARD, BREADTH_FIRST, GREEDY
from tilework.core.lab.methods import Method
from tilework.core.model.states import JobState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.jobs.submit import Submission
from tilework.core.storage.clients import ClientRepository

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
