"""A search of many slices whose workers die: no answer is wrong, and no slice is counted twice."""

from __future__ import annotations

import signal
from collections import Counter
from functools import cache
from pathlib import Path

from tests.support import naive
from tests.support.waiting import await_that
from tests.system.faults.stage import LONG_LENGTH, LONG_TILES, SliceRow, Stage
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.states import JobState, SliceState
from tilework.core.solver.optimal.cursor import Cursor

BOARD = Board(LONG_TILES, 5, 5)
KILLS = 2


def test_random_workers_are_killed(postgres_stage: Stage) -> None:
    stage = postgres_stage
    workers = [stage.start_worker() for _ in range(3)]
    job = stage.submit(BOARD)
    for worker in workers[:KILLS]:
        await_that(stage.leased)
        assert not stage.has_ended(job)
        worker.kill()
        worker.wait()
    stage.start_worker()
    await_that(lambda: stage.has_ended(job))
    assert_optimal(stage, job)
    done = stage.search_slices()
    assert sum(row.attempts - 1 for row in done.values()) <= KILLS
    assert_all_searched_once(done, stage)


def test_the_whole_system_is_stopped_and_killed_and_started_again(stage: Stage) -> None:
    job = stage.submit(BOARD)
    worker = stage.start_worker()
    await_that(lambda: stage.view(job).nodes >= 1_000_000)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait() == 0
    stopped = stage.view(job)
    assert stopped.state == "running"

    workers = [stage.start_worker() for _ in range(2)]
    await_that(lambda: stage.view(job).nodes > stopped.nodes + 10_000_000)
    for worker in workers:
        worker.kill()
    stage.stop_broker()
    for worker in workers:
        worker.wait()
    killed, running = stage.search_slices(), stage.leased()
    bounds = stage.view(job)
    assert not bounds.finished
    assert bounds.lower_bound >= stopped.lower_bound

    stage.restart_broker()
    for _ in workers:
        stage.start_worker()
    await_that(lambda: stage.has_ended(job))
    assert_optimal(stage, job)
    ended = stage.search_slices()
    assert all(ended[id_] == row for id_, row in killed.items() if row.state == SliceState.DONE)
    assert len(running) <= len(workers)
    assert_all_searched_once(ended, stage)


def test_cancelled_jobs_stop_every_slice(stage: Stage) -> None:
    stage.search_slice_s = 1_000.0
    boards = [scramble(Size(5, 5), blank_last(Size(5, 5)), seed) for seed in (1, 2)]
    jobs = [stage.submit(board) for board in boards]
    for _ in jobs:
        stage.start_worker()
    await_that(lambda: len(stage.leased()) == len(jobs))
    for job in jobs:
        stage.services.cancel(job, stage.client)
    # Far sooner than the slices would have ended by themselves.
    await_that(lambda: not stage.leased())
    assert all(stage.view(job).state == JobState.CANCELLED for job in jobs)
    rows = stage.search_slices().values()
    assert any(row.nodes for row in rows if row.state == SliceState.DONE)
    assert {row.state for row in rows} == {SliceState.DONE, SliceState.PARKED}


def assert_optimal(stage: Stage, job: str) -> None:
    view = stage.view(job)
    assert (view.state, view.lower_bound, view.upper_bound) == (
        JobState.OPTIMAL,
        LONG_LENGTH,
        LONG_LENGTH,
    )
    moves = "".join("UDLR"[code] for code in stage.services.read.solution(job).moves)
    assert naive.played(LONG_TILES, 5, moves) == naive.solved(5, 5)


def assert_all_searched_once(rows: dict[str, SliceRow], stage: Stage) -> None:
    """What was stored of each threshold is what one undisturbed search of it counts."""
    nodes = Counter[int]()
    for row in rows.values():
        nodes[row.threshold] += row.nodes
    for threshold, count in nodes.items():
        if threshold < LONG_LENGTH:
            assert count in undisturbed(threshold, stage.settings.pdb_folder)


@cache
def undisturbed(threshold: int, pdb_folder: Path) -> list[int]:
    """How many nodes one search of a threshold makes, as it comes and in order.

    Which of both a worker does depends on how many there are; in order some subtrees are searched
    that lie below a node over the threshold.
    """
    form = canonicalize(BOARD, blank_last(Size(5, 5)))

    def searched(cursor: bytes) -> int:
        return solver.search(
            form.board, form.goal, threshold, cursor, nodes=2**62, cancelled=lambda: False
        ).nodes

    solver = LocalSolver(pdb_folder)
    counts = [searched(Cursor.root().to_bytes())]
    ordered = solver.order(form.board, form.goal, threshold, workers=1, cancelled=lambda: False)
    if ordered is not None:
        counts.append(ordered.nodes + sum(searched(left.cursor) for left in ordered.remaining))
    return counts
