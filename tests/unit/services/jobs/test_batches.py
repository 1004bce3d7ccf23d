import pytest
from sqlalchemy import delete, update

from tests.support.services.scripted_solver import ANY, shortest_solution, solve_cancelled
from tilework.core.errors import ConflictError, DamagedSolveError, OptionError, QuotaError
from tilework.core.model.states import JobState, Queue
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.packing import pack_board
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.jobs.batches import MAX_STORING_S
from tilework.core.services.jobs.submit import Submission
from tilework.core.storage.models import job, solve

GOAL = blank_last(Size(3, 2))
BOARDS = [scramble(Size(3, 2), GOAL, seed) for seed in range(5)]


def submit(service, boards, **extra):
    boards = [(board, GOAL) for board in boards]
    return service.submit_batch(Submission(boards=boards, client_id=service.client, **extra))


def damage(service, table, condition, **values):
    with service.database.engine(writes=True).begin() as connection:
        assert connection.execute(update(table).where(condition).values(**values)).rowcount == 1


def read_rows(service, batch):
    return list(service.read_batch.jobs(batch.id, range(batch.total)))


def test_results_are_in_order_and_come_from_the_batch_queue(service):
    service.solver.solve_scripts.append(solve_cancelled)  # an interrupted batch continues
    boards = [*BOARDS, BOARDS[0]]
    batch = submit(service, boards)
    assert (batch.total, batch.finished, batch.progress) == (6, False, 0.0)
    assert service.tickets.sent == {Queue.BATCH: 1}  # a worker claims them together
    assert service.work("interactive") == 0
    service.work("batch")
    view = service.read_batch.view(batch.id)
    assert (view.finished, view.progress) == (True, 1.0)
    assert view.states == {JobState.OPTIMAL: 6}
    results = list(service.read_batch.results(batch.id))
    assert [result.job.batch_index for result in results] == list(range(6))
    for board, result in zip(boards, results, strict=True):
        assert len(result.moves) == result.job.upper_bound == len(shortest_solution(board, GOAL))
        assert result.optimal
        replay(board, result.moves, GOAL)
    rows = read_rows(service, batch)
    assert [(row.board, row.goal) for row in rows] == [(board, GOAL) for board in boards]
    assert rows == [result.job for result in results]
    assert rows[3:1:-1] == list(service.read_batch.jobs(batch.id, [3, 2]))
    for row, figures in zip(rows, service.read_batch.figures(batch.id), strict=True):
        assert figures == (
            *(row.batch_index, row.state, row.options.metric, row.width, row.height),
            *(row.lower_bound, row.upper_bound, row.nodes, row.search_s, row.finished_at),
        )


@pytest.mark.parametrize("ended", [False, True])
def test_unreadable_job_is_left_out_of_its_batch(service, ended):
    changes = [("board", b""), ("goal", pack_board(GOAL)[:-1]), ("state", "lost")]
    for column, value in changes:
        batch = submit(service, BOARDS)
        if ended:
            service.work("batch")
        original = read_rows(service, batch)
        damage(service, job, job.c.id == original[2].id, **{column: value})
        rows = original[:2] + original[3:]
        assert read_rows(service, batch) == rows
        results = list(service.read_batch.results(batch.id))
        assert [result.job.id for result in results] == [row.id for row in rows]


def test_damaged_solution_is_withdrawn_from_its_row_only(service):
    batch = submit(service, BOARDS[:3])
    service.work("batch")
    original = read_rows(service, batch)
    solve_id = original[1].solve_id
    damage(service, solve, solve.c.id == solve_id, upper_bound=0, lower_bound=0)
    with pytest.raises(DamagedSolveError):
        read_rows(service, batch)
    rows = read_rows(service, batch)
    assert (rows[0], rows[2]) == (original[0], original[2])
    assert rows[1].message.code == "solution-withdrawn"


def test_single_board_does_not_wait_for_the_batch_that_contains_it(service):
    batch = submit(service, BOARDS)
    service.tickets.sent.clear()
    jobs = [service.request(BOARDS[3]), service.request(BOARDS[4], ANY)]
    assert service.tickets.sent == {Queue.INTERACTIVE: 2}
    assert service.work("interactive") == 2
    assert all(service.read.view(job.id).finished for job in jobs)
    assert {service.read.activity(job.id).queue for job in jobs} == {Queue.INTERACTIVE}
    assert service.read_batch.view(batch.id).states[JobState.QUEUED] == 3


def test_batch_size_client_quota_and_key(make_service):
    service = make_service(max_batch=3, jobs_per_client=2)
    for boards in (BOARDS, []):
        with pytest.raises(OptionError, match=f"{len(boards)} boards"):
            submit(service, boards)
    with pytest.raises(QuotaError):
        submit(service, BOARDS[:3])
    assert service.read.list_jobs(service.client) == []
    batch = submit(service, BOARDS[:2], idempotency_key="k")
    # The next request completes a batch whose first one was interrupted.
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(delete(job).where(job.c.batch_index == 1))
    assert service.read_batch.view(batch.id).states == {JobState.QUEUED: 1}
    for _ in range(2):
        assert submit(service, BOARDS[:2], idempotency_key="k") == batch
    with pytest.raises(ConflictError):
        submit(service, BOARDS[:1], idempotency_key="k")
    # Boards without a job count for the quota until the request must have ended.
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(delete(job).where(job.c.batch_index == 1))
    with pytest.raises(QuotaError, match="2 unfinished jobs; 1 more"):
        submit(service, BOARDS[2:3])
    service.clock.advance(MAX_STORING_S)
    submit(service, BOARDS[2:3])
    service.work("batch")
    interrupted = service.read_batch.view(batch.id)
    assert (interrupted.finished, interrupted.progress) == (True, 0.5)
    submit(service, BOARDS[:1], idempotency_key="one")
    with pytest.raises(ConflictError):
        service.request(BOARDS[0], goal=GOAL, key="one")
