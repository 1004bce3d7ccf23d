import time

import pytest
from sqlalchemy import func, update

from tests.support.services.scripted_solver import LENGTH
from tests.unit.services.lab.scripted_lab import (
    A_STAR,
    BOARD,
    BREADTH_FIRST,
    GOAL,
    GREEDY,
    OTHER,
    reach_time_limit,
    return_wrong_moves,
    run_until_cancelled,
)
from tilework.core.errors import (
    ConflictError,
    NotFoundError,
    OptionError,
    QuotaError,
    UnavailableError,
)
from tilework.core.model.job_options import MethodOptions
from tilework.core.model.states import JobState, Queue
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import StopReason
from tilework.core.services.audit import Audit
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.jobs.cancel import CancelJob
from tilework.core.services.jobs.read import ReadJob
from tilework.core.services.jobs.solution_parts import ReadSolutionParts
from tilework.core.services.jobs.submission import Submission
from tilework.core.services.lab.submit_method import SubmitMethod
from tilework.core.services.purger import DAY_S, Purger
from tilework.core.services.tasks.kinds import MAX_CRASHES
from tilework.core.solver.target import TargetKind
from tilework.core.storage.models import task

QUEUED, RUNNING, BOUNDED = JobState.QUEUED, JobState.RUNNING, JobState.BOUNDED
OPTIMAL = JobState.OPTIMAL


class MethodJobServices:
    """The services for textbook jobs, on the database of a lab."""

    def __init__(self, lab):
        arguments = (lab.database, lab.tickets, lab.settings)
        self.lab = lab
        self.submit = SubmitMethod(*arguments)
        self.read = ReadJob(*arguments)
        self.cancel = CancelJob(lab.database, lab.settings)
        self.parts = ReadSolutionParts(lab.database, lab.settings)

    def request(self, method=GREEDY, board=BOARD, goal=GOAL, **extra):
        changes = {name: extra.pop(name) for name in MethodOptions.model_fields if name in extra}
        name = method.algorithm.value
        algorithm = f"lab-{name}" if name in ("a-star", "ida-star", "beam") else name
        names = {"algorithm": algorithm, "heuristic": method.heuristic or "auto"}
        options = MethodOptions(**names | changes)
        extra.setdefault("client_id", self.lab.client)
        return self.submit(Submission(boards=[(board, goal)], options=options, **extra))

    def state(self, job):
        return self.read.view(job.id).state


@pytest.fixture
def method_jobs(lab):
    return MethodJobServices(lab)


def test_job_gets_the_solution_and_counts_of_its_run(method_jobs):
    Heartbeat(method_jobs.lab.database, "w", method_jobs.lab.clock).report_preparing(12)
    job = method_jobs.request(GREEDY)
    assert (job.state, job.queue, job.queue_position, job.cached) == (QUEUED, Queue.LAB, 0, False)
    assert job.preparing_s is None  # the lab's workers compile nothing
    assert (job.lower_bound, job.upper_bound) == (BOARD.manhattan(GOAL), None)
    assert method_jobs.lab.tickets.sent == {Queue.LAB: 1}
    assert method_jobs.lab.work() == 1
    job = method_jobs.read.view(job.id)
    assert (job.state, job.message.code) == (BOUNDED, "algorithm-exhausted")
    assert (job.upper_bound, job.nodes, job.can_improve) == (LENGTH + 2, 10, False)
    assert method_jobs.read.list_jobs(method_jobs.lab.client)[0].run == job.run
    solution = method_jobs.read.solution(job.id)
    assert method_jobs.parts.moves(job.id, 0, 2).moves.tolist() == solution.moves[:2].tolist()
    assert method_jobs.parts.board(job.id, LENGTH + 2).board == GOAL


def test_optimal_method_proves_its_solution(method_jobs):
    for job in (method_jobs.request(BREADTH_FIRST), method_jobs.request(A_STAR)):
        method_jobs.lab.work()
        view = method_jobs.read.view(job.id)
        assert (view.state, view.upper_bound, view.run.optimal) == (OPTIMAL, LENGTH, True)
        assert view.lower_bound == LENGTH
        cached = method_jobs.request(view.run.method)
        assert (cached.cached, cached.bounds) == (True, view.bounds)
        assert f"only a lower bound of {BOARD.manhattan(GOAL)} moves" in str(view.message)
    near = method_jobs.request(BREADTH_FIRST, Board([1, 2, 3, 4, 0, 5], 3, 2))
    solved = method_jobs.request(BREADTH_FIRST, GOAL)
    method_jobs.lab.work()
    assert method_jobs.state(near) is method_jobs.state(solved) is JobState.OPTIMAL
    assert method_jobs.read.view(near.id).lower_bound == 1


def test_job_with_a_method_of_a_later_version_is_left_to_it(method_jobs):
    lab, job = method_jobs.lab, method_jobs.request(A_STAR)

    def change_run(**values):
        with lab.database.engine(writes=True).begin() as connection:
            connection.execute(update(task).values(**values))

    lab.claim()
    spec = task.c.spec
    change_run(spec=func.replace(spec, "manhattan", "oracle"), attempts=MAX_CRASHES)
    lab.clock.advance(lab.settings.max_time_limit_s + 1)
    lab.reconcile.run_once()
    with pytest.raises(UnavailableError, match="a later version"):
        method_jobs.read.view(job.id)
    change_run(spec=func.replace(spec, "oracle", "manhattan"))
    lab.reconcile.run_once()
    assert method_jobs.read.view(job.id).message.code == "run-crashed"


def test_all_jobs_of_a_method_share_one_run(method_jobs):
    comparison = method_jobs.lab.request(methods=[GREEDY])
    first = method_jobs.request()
    second = method_jobs.request(client_id=method_jobs.lab.clients.new())
    assert method_jobs.lab.work() == 1
    assert method_jobs.state(first) is method_jobs.state(second) is BOUNDED
    third = method_jobs.request()
    assert (third.state, third.cached, third.upper_bound) == (BOUNDED, True, LENGTH + 2)
    assert third.run == method_jobs.read.view(first.id).run
    assert third.run.id == comparison.runs[0].id
    assert [method for _, method in method_jobs.lab.runner.runs] == [GREEDY.text]
    limits = {"node_limit": 9, "time_limit_s": 5.0, "memory_limit_mb": 1}
    for name, value in [("method", A_STAR), *limits.items()]:
        assert method_jobs.request(**{name: value}).state is QUEUED
    assert method_jobs.lab.work() == 4


def test_fresh_run_belongs_to_one_job(method_jobs):
    shared = method_jobs.request()
    method_jobs.lab.work()
    fresh = method_jobs.request(fresh=True)
    assert (fresh.state, fresh.cached) == (QUEUED, False)
    assert method_jobs.lab.work() == 1
    assert method_jobs.read.view(fresh.id).run.id != method_jobs.read.view(shared.id).run.id
    assert Audit(method_jobs.lab.database, method_jobs.lab.settings)().damaged == 0


def test_job_and_its_run_are_cancelled_together(method_jobs):
    job = method_jobs.request()

    def cancel_and_wait(*arguments):
        assert method_jobs.state(job) is RUNNING
        second = method_jobs.request()
        assert (second.state, second.started_at) == (RUNNING, method_jobs.lab.clock())
        for own_job in method_jobs.read.list_jobs(method_jobs.lab.client):
            method_jobs.cancel(own_job.id, method_jobs.lab.client)
        return run_until_cancelled(*arguments)

    method_jobs.lab.runner.scripts.append(cancel_and_wait)
    method_jobs.lab.work()
    jobs = method_jobs.read.list_jobs(method_jobs.lab.client)
    assert {job.state for job in jobs} == {JobState.CANCELLED}
    assert method_jobs.request().state is QUEUED
    method_jobs.lab.work()
    assert method_jobs.state(job) is JobState.CANCELLED


def test_cancelled_job_leaves_its_run_to_other_jobs(method_jobs):
    comparison = method_jobs.lab.request(methods=[GREEDY])
    own = method_jobs.request()
    other = method_jobs.request(client_id=method_jobs.lab.clients.new())
    method_jobs.lab.cancel(comparison.id, method_jobs.lab.client)
    assert method_jobs.cancel(own.id, method_jobs.lab.client).state is JobState.CANCELLED
    assert method_jobs.lab.work() == 1
    assert (method_jobs.state(own), method_jobs.state(other)) == (JobState.CANCELLED, BOUNDED)
    assert method_jobs.cancel(other.id, other.client_id).state is BOUNDED


def test_run_stopped_by_its_limit_is_the_result(method_jobs):
    method_jobs.lab.runner.scripts.append(reach_time_limit)
    job = method_jobs.request()
    method_jobs.lab.work()
    view = method_jobs.read.view(job.id)
    assert (view.state, view.upper_bound) == (JobState.EXPIRED, None)
    assert str(view.message) == "The limit of 10 s was reached."
    assert (view.run.stopped_by, view.run.optimal) == (StopReason.TIME, None)
    assert method_jobs.read.solution(job.id) is None
    assert method_jobs.request().state is JobState.EXPIRED


def test_failed_run_fails_its_jobs_and_is_repeated_for_the_next_job(method_jobs):
    for error in (RuntimeError("lost"), return_wrong_moves):
        method_jobs.lab.runner.scripts += [error, error]
        job = method_jobs.request()
        method_jobs.lab.work()
        view = method_jobs.read.view(job.id)
        assert (view.state, view.message.code) == (JobState.FAILED, "run-failed")
    repeated = method_jobs.request()
    assert repeated.state is QUEUED
    for _ in range(3):
        method_jobs.lab.claim()
        method_jobs.lab.lose_leases()
    assert method_jobs.read.view(repeated.id).message.code == "run-crashed"
    last = method_jobs.request()
    method_jobs.lab.work()
    assert (method_jobs.state(job), method_jobs.state(last)) == (JobState.FAILED, BOUNDED)


def test_job_that_waits_too_long_expires_with_a_message(method_jobs):
    job, comparison = method_jobs.request(), method_jobs.lab.request(methods=[GREEDY])
    method_jobs.lab.clock.advance(method_jobs.lab.settings.max_time_limit_s + 1)
    method_jobs.lab.reconcile.run_once()
    view = method_jobs.read.view(job.id)
    assert (view.state, view.message.code) == (JobState.EXPIRED, "time-is-up")
    assert method_jobs.lab.work() == 1
    assert method_jobs.lab.read.view(comparison.id).finished


def test_unsupported_options_and_too_many_runs_are_rejected(make_lab):
    method_jobs = MethodJobServices(make_lab(lab_runs_per_client=2, lab_max_cells=6))
    large = Board([1, 2, 3, 4, 5, 6, 7, 0], 4, 2)
    for options, expected in (
        ({"target": TargetKind.ANY}, "takes no target"),
        ({"board": large, "goal": large}, "the lab accepts at most 6"),
    ):
        with pytest.raises(OptionError, match=expected):
            method_jobs.request(**options)
    method_jobs.request(), method_jobs.request(A_STAR)
    with pytest.raises(QuotaError, match="2 unfinished runs"):
        method_jobs.request(BREADTH_FIRST)
    with pytest.raises(QuotaError):
        method_jobs.lab.request(OTHER)
    assert len(method_jobs.read.list_jobs(method_jobs.lab.client)) == 2


def test_run_triggers_callbacks_and_is_kept_as_long_as_its_job(make_lab):
    hooks = {"callback_hosts": "example.com", "callback_secret": "s" * 32}
    method_jobs = MethodJobServices(make_lab(keep_jobs_days=30, keep_comparisons_days=1, **hooks))
    method_jobs.lab.clock.now = time.time()
    options = {"idempotency_key": "k", "callback_url": "https://example.com/done"}
    job = method_jobs.request(**options)
    assert method_jobs.request(**options).id == job.id
    with pytest.raises(ConflictError):
        method_jobs.request(idempotency_key="k", node_limit=7)
    method_jobs.lab.work()
    with method_jobs.lab.database.reading() as session:
        assert session.tasks.due_callbacks(method_jobs.lab.clock() + 1)
    method_jobs.lab.clock.advance(20 * DAY_S)
    Purger(method_jobs.lab.database, method_jobs.lab.settings).run_once()
    assert method_jobs.read.solution(job.id) is not None
    method_jobs.lab.clock.advance(20 * DAY_S)
    Purger(method_jobs.lab.database, method_jobs.lab.settings).run_once()
    with method_jobs.lab.database.reading() as session:
        with pytest.raises(NotFoundError):
            session.job_views.view(job.id, method_jobs.lab.clock())
        assert session.comparisons.run(job.run.id) is None
