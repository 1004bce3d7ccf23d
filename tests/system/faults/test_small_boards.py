"""Small boards while one thing after another breaks: every job ends, and every answer is right."""

from __future__ import annotations

import random

from redis import Redis

from tests.support import naive
from tests.support.waiting import await_that
from tests.system.faults.stage import Stage, boards_3x3, lengths
from tilework.core.lab.method import Method
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.lab.requests import ComparisonRequest
from tilework.core.services.lab.sweep import Sweep
from tilework.core.services.states import Queue, RunState, Tally

METHODS = tuple(Method.of(name) for name in ("breadth-first", "bidirectional"))


def test_workers_are_killed_and_the_broker_forgets_and_is_away(stage: Stage) -> None:
    boards = boards_3x3(220, seed=1)
    jobs = [stage.submit(board) for board in boards[:200]]
    assert stage.tickets.depth("interactive")
    stage.flush_broker()
    assert stage.tickets.depth("interactive") == 0
    worker = stage.start_worker()
    await_that(lambda: stage.ended(jobs))
    worker.kill()
    worker.wait()
    assert stage.ended(jobs) < len(jobs)
    stage.stop_broker()
    jobs += [stage.submit(board) for board in boards[200:]]
    stage.start_worker()
    stage.restart_broker()
    await_that(lambda: stage.ended(jobs) == len(jobs))
    stage.assert_all_right(boards, jobs)


def test_messages_of_others_among_the_tickets(postgres_stage: Stage) -> None:
    stage, boards = postgres_stage, boards_3x3(30, seed=13)
    stage.start_worker()
    dice = random.Random(13)
    jobs = []
    with Redis(unix_socket_path=stage.broker_socket) as redis:
        for board in boards:
            for queue in ("interactive", "search"):
                redis.rpush(queue, dice.randbytes(20), b'{"body": ""}', b"[]")
            jobs.append(stage.submit(board))
        redis.set("batch", b"no list")
        redis.delete("search")
        redis.set("search", b"no list")
    await_that(lambda: stage.ended(jobs) == len(jobs))
    stage.assert_all_right(boards, jobs)

    def told(queue: Queue) -> int:
        with stage.services.storage.reading() as session:
            return session.tallies.read().get((Tally.FOREIGN_MESSAGES, queue), 0)

    # The reconciler saves what was counted, once a second.
    await_that(lambda: told(Queue.BATCH) == 1)
    await_that(lambda: told(Queue.INTERACTIVE) == 3 * len(boards))


def test_workers_are_killed_amid_a_comparison(postgres_stage: Stage) -> None:
    stage = postgres_stage
    asked = stage.services.compare(
        ComparisonRequest(
            client_id=stage.client,
            start=None,
            goal=blank_last(Size(3, 3)),
            methods=METHODS,
            sweep=Sweep(boards=10, moves=80),
        )
    )

    def ended() -> int:
        return len(asked.runs) - stage.services.comparisons.view(asked.id).unfinished

    for share in (4, 2):
        worker = stage.start_worker("lab")
        await_that(lambda share=share: ended() >= len(asked.runs) // share)
        worker.kill()
        worker.wait()
    stage.start_worker("lab")
    await_that(lambda: ended() == len(asked.runs))

    for run in stage.services.comparisons.view(asked.id).runs:
        assert run.state is RunState.DONE
        detail = stage.services.comparisons.run(run.id)
        tiles = tuple(detail.start.cells.tolist())
        moves = "".join("UDLR"[code] for code in detail.moves)
        assert len(moves) == run.length == lengths()[tiles]
        assert naive.played(tiles, 3, moves) == naive.solved(3, 3)
