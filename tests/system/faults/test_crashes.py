"""Workers die and the broker goes: no answer is wrong, and no slice is counted twice."""

import signal
from collections import Counter
from functools import cache
from pathlib import Path

from tests.support.waiting import wait_until
from tests.system.faults.real_system import (
    LONG_LENGTH,
    LONG_TILES,
    RealSystem,
    SliceRow,
    boards_3x3,
)
from tilework.core.model.states import JobState, SliceState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.solver.optimal.cursor import Cursor

BOARD = Board(LONG_TILES, 5, 5)


def test_workers_are_killed_and_the_broker_forgets_and_is_away(stage: RealSystem) -> None:
    boards = boards_3x3(220, seed=1)
    jobs = [stage.submit(board) for board in boards[:200]]
    assert stage.tickets.depth("interactive")
    stage.flush_broker()
    assert stage.tickets.depth("interactive") == 0
    worker = stage.start_worker()
    wait_until(lambda: stage.ended(jobs))
    worker.kill()
    worker.wait()
    assert stage.ended(jobs) < len(jobs)
    stage.stop_broker()
    jobs += [stage.submit(board) for board in boards[200:]]
    stage.start_worker()
    stage.restart_broker()
    wait_until(lambda: stage.ended(jobs) == len(jobs))
    stage.assert_all_right(boards, jobs)


def test_the_whole_system_is_stopped_and_killed_and_started_again(stage: RealSystem) -> None:
    job = stage.submit(BOARD)
    worker = stage.start_worker()
    wait_until(lambda: stage.view(job).nodes >= 1_000_000)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait() == 0
    stopped = stage.view(job)
    assert stopped.state == "running"

    workers = [stage.start_worker() for _ in range(2)]
    wait_until(lambda: stage.view(job).nodes > stopped.nodes + 10_000_000)
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
    wait_until(lambda: stage.has_ended(job))
    assert_optimal(stage, job)
    ended = stage.search_slices()
    assert all(ended[id_] == row for id_, row in killed.items() if row.state == SliceState.DONE)
    assert len(running) <= len(workers)
    assert_all_searched_once(ended, stage)


def test_cancelled_jobs_stop_every_slice(stage: RealSystem) -> None:
    stage.search_slice_s = 1_000.0
    boards = [scramble(Size(5, 5), blank_last(Size(5, 5)), seed) for seed in (1, 2)]
    jobs = [stage.submit(board) for board in boards]
    for _ in jobs:
        stage.start_worker()
    wait_until(lambda: len(stage.leased()) == len(jobs))
    for job in jobs:
        stage.services.cancel(job, stage.client)
    # Far sooner than the slices would have ended by themselves.
    wait_until(lambda: not stage.leased())
    assert all(stage.view(job).state == JobState.CANCELLED for job in jobs)
    rows = stage.search_slices().values()
    assert any(row.nodes for row in rows if row.state == SliceState.DONE)
    assert {row.state for row in rows} == {SliceState.DONE, SliceState.PARKED}


def assert_optimal(stage: RealSystem, job: str) -> None:
    view = stage.view(job)
    assert (view.state, view.lower_bound) == (JobState.OPTIMAL, LONG_LENGTH)
    assert view.upper_bound == stage.replayed(BOARD, job) == LONG_LENGTH


def assert_all_searched_once(rows: dict[str, SliceRow], stage: RealSystem) -> None:
    """What was stored of each threshold is what one undisturbed search of it counts."""
    nodes = Counter[int]()
    for row in rows.values():
        nodes[row.threshold] += row.nodes
    for threshold, count in nodes.items():
        if threshold < LONG_LENGTH:
            assert count in undisturbed(threshold, stage.settings.pdb_folder)


@cache
def undisturbed(threshold: int, pdb_folder: Path) -> list[int]:
    """How many nodes one search of a threshold makes, as it comes and in order."""
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
