"""A search of seconds, stopped and killed on its way: it goes on from where it was."""

from __future__ import annotations

import signal

from tests.support import naive
from tests.system.faults.stage import LONG_LENGTH, LONG_TILES, Stage
from tilework.core.puzzle.board import Board
from tilework.core.services.jobs.views import JobView


def test_stopped_and_killed_and_still_right(stage: Stage) -> None:
    job = stage.submit(Board(LONG_TILES, 5, 5))

    def await_nodes(count: int) -> JobView:
        stage.await_that(lambda: stage.view(job).nodes >= count)
        return stage.view(job)

    worker = stage.start_worker()
    await_nodes(1_000_000)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=10) == 0
    stopped = stage.view(job)
    assert stopped.state == "running"

    worker = stage.start_worker()
    resumed = await_nodes(stopped.nodes + 1_000_000)
    assert resumed.lower_bound >= stopped.lower_bound
    worker.kill()
    worker.wait()
    killed = stage.view(job)
    assert killed.nodes >= resumed.nodes

    stage.start_worker()
    stage.await_that(lambda: stage.has_ended(job))
    ended = stage.view(job)
    assert (ended.state, ended.lower_bound, ended.upper_bound) == (
        "optimal",
        LONG_LENGTH,
        LONG_LENGTH,
    )
    assert ended.nodes > killed.nodes
    moves = "".join("UDLR"[code] for code in stage.services.read.solution(job).moves)
    assert naive.played(LONG_TILES, 5, moves) == naive.solved(5, 5)
