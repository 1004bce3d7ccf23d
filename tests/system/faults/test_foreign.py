from __future__ import annotations

import random

from redis import Redis

from tests.system.faults.stage import Stage, boards_3x3
from tilework.core.services.states import Queue, Tally


def test_messages_of_others_among_the_tickets(stage: Stage) -> None:
    boards = boards_3x3(30, seed=13)
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
    stage.await_that(lambda: stage.ended(jobs) == len(jobs))
    stage.assert_all_right(boards, jobs)
    # The reconciler saves what was counted, once a second.
    stage.await_that(lambda: told(stage)["batch"] == 1)
    stage.await_that(lambda: told(stage)["interactive"] == 3 * len(boards))


def told(stage: Stage) -> dict[str, int]:
    with stage.services.storage.reading() as session:
        counts = session.tallies.read()
    return {queue: counts.get((Tally.FOREIGN_MESSAGES, queue), 0) for queue in Queue}
