import threading
from concurrent.futures import ThreadPoolExecutor

from tilework.core.lab.methods import Method
from tilework.core.model.comparisons import Comparison
from tilework.core.model.ids import new_id
from tilework.core.model.leases import Holder, Lease
from tilework.core.model.states import Queue, RunState
from tilework.core.model.tasks import NewTask, RunSpec, TaskEnd
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.search.limits import Limits

GOAL = blank_last(Size(3, 2))
METHODS = [Method.of(name) for name in ("breadth-first", "depth-first", "bidirectional")]
LIMITS = Limits(1.0, 1_000, 2**20)


def make_run(method, turn=0.0):
    spec = RunSpec(Board([1, 2, 3, 4, 0, 5], 3, 2), GOAL, method, LIMITS, None)
    return NewTask(new_id(), spec.key, spec, Queue.LAB, turn)


def add_comparison(session, client, runs):
    """Store a comparison; return its id and the ids of its runs."""
    session.clients.add(client, 1.0)
    comparison = Comparison(
        id=new_id(),
        client_id=client,
        key=client,
        start=runs[0].spec.start,
        goal=GOAL,
        methods=tuple(run.spec.method for run in runs),
        limits=LIMITS,
        window=None,
        sweep=None,
        total=len(runs),
        created_at=1.0,
    )
    session.comparisons.get_or_create(comparison)
    tasks = session.tasks.get_or_create(runs, 1.0)
    ids = [tasks[run.key].id for run in runs]
    session.comparisons.add_runs(comparison.id, [(id_, 0, False) for id_ in ids])
    return comparison.id, ids


def test_two_workers_never_claim_the_same_run(database):
    with database.writing() as session:
        add_comparison(session, "someone", [make_run(method) for method in METHODS])
    barrier = threading.Barrier(4)

    def claim(number):
        barrier.wait()
        with database.writing() as session:
            return session.tasks.claim(Queue.LAB, Holder(f"worker {number}", 10.0), 2.0)

    with ThreadPoolExecutor(4) as pool:
        claims = [run for runs in pool.map(claim, range(4)) for run in runs]
    assert len({claim.lease.id for claim in claims}) == len(claims) == 3


def test_only_the_owner_of_a_run_changes_it(database):
    with database.writing() as session:
        _, (run_id,) = add_comparison(session, "someone", [make_run(METHODS[0])])
        lease = session.tasks.claim(Queue.LAB, Holder("worker", 10.0), 2.0)[0].lease
        assert lease == Lease(run_id, "worker", 1)
        for wrong_lease in (Lease(run_id, "other", 1), Lease(run_id, "worker", 2)):
            assert not session.tasks.is_held(wrong_lease)
            session.tasks.release([wrong_lease], 3.0)
            session.tasks.retry(wrong_lease, 3.0)
            session.tasks.renew([wrong_lease], 99.0)
            assert not session.tasks.finish(wrong_lease, TaskEnd(RunState.DONE), 3.0)
        assert session.tasks.is_held(lease)
        assert session.tasks.expired(11.0) == [(lease, "run")]
        assert session.tasks.expired(9.0) == []
        assert session.tasks.finish(lease, TaskEnd(RunState.DONE), 3.0)
        assert not session.tasks.finish(lease, TaskEnd(RunState.FAILED), 4.0)
        assert session.comparisons.run(run_id)[0].state is RunState.DONE


def cancel(session, comparison, before_commit=lambda: None):
    session.comparisons.lock(comparison)
    unfinished = session.comparisons.lock_unfinished(comparison)
    before_commit()
    session.comparisons.set_cancelled(comparison, 5.0)
    session.comparisons.cancel_unwanted(unfinished, 5.0)


def start_blocked_transaction(database, work):
    """Start a transaction in a thread; it waits for the one that is open here."""

    def run():
        with database.writing() as session:
            work(session)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(0.1)
    assert thread.is_alive()
    return thread


def test_run_is_kept_while_another_comparison_requests_it(database):
    with database.writing() as session:
        first, (run_id,) = add_comparison(session, "someone", [make_run(METHODS[0])])
    with database.writing() as session:
        add_comparison(session, "another", [make_run(METHODS[0])])
        thread = start_blocked_transaction(database, lambda session: cancel(session, first))
    thread.join()
    with database.reading() as session:
        run, _ = session.comparisons.run(run_id)
        assert run.state is RunState.QUEUED
        assert session.comparisons.count_unfinished_runs("someone") == 0
        assert session.comparisons.count_unfinished_runs("another") == 1


def test_run_does_not_end_while_its_comparison_is_being_cancelled(database):
    with database.writing() as session:
        first, (run_id,) = add_comparison(session, "someone", [make_run(METHODS[0])])
        lease = session.tasks.claim(Queue.LAB, Holder("worker", 10.0), 2.0)[0].lease
    results, threads = [], []

    def finish(session):
        results.append(session.tasks.finish(lease, TaskEnd(RunState.DONE), 3.0))

    with database.writing() as session:
        cancel(session, first, lambda: threads.append(start_blocked_transaction(database, finish)))
    threads[0].join()
    assert results == [False]
    with database.reading() as session:
        run, _ = session.comparisons.run(run_id)
        assert run.state is RunState.CANCELLED
