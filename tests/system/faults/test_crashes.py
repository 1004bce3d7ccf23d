"""Workers crash and the broker loses its data: no wrong answer, and no slice counted twice."""

import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from tests.support.waiting import wait_until
from tests.system.faults.real_system import (
    LONG_LENGTH,
    LONG_TILES,
    RealSystem,
    SliceRow,
    sample_boards,
)
from tilework.core.model.states import JobState, SliceState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.solver.optimal.cursor import Cursor

BOARD = Board(LONG_TILES, 5, 5)


def test_jobs_survive_killed_workers_and_a_flushed_broker(real_system: RealSystem) -> None:
    boards = sample_boards(220, seed=1)
    jobs = [real_system.submit(board) for board in boards[:200]]
    assert real_system.tickets.depth("interactive")
    real_system.flush_broker()
    assert real_system.tickets.depth("interactive") == 0
    worker = real_system.start_worker()
    wait_until(lambda: real_system.count_ended(jobs))
    worker.kill()
    worker.wait()
    assert real_system.count_ended(jobs) < len(jobs)
    real_system.stop_broker()
    jobs += [real_system.submit(board) for board in boards[200:]]
    with ThreadPoolExecutor(1) as threads:
        # It is ready once it has connected to the broker.
        starting = threads.submit(real_system.start_worker)
        real_system.restart_broker()
        starting.result()
    wait_until(lambda: real_system.count_ended(jobs) == len(jobs))
    real_system.assert_all_optimal(boards, jobs)


def test_search_survives_stopped_and_killed_processes(real_system: RealSystem) -> None:
    job = real_system.submit(BOARD)
    worker = real_system.start_worker()
    wait_until(lambda: real_system.view(job).nodes >= 1_000_000)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait() == 0
    assert not real_system.read_leased_slices()  # the cursor is stored
    view_after_stop = real_system.view(job)
    assert view_after_stop.state == "running"

    workers = [real_system.start_worker() for _ in range(2)]
    wait_until(lambda: real_system.view(job).nodes > view_after_stop.nodes + 10_000_000)
    for worker in workers:
        worker.kill()
    real_system.stop_broker()
    for worker in workers:
        worker.wait()
    rows, leased = real_system.read_search_slices(), real_system.read_leased_slices()
    bounds = real_system.view(job)
    assert not bounds.finished
    assert bounds.lower_bound >= view_after_stop.lower_bound

    real_system.restart_broker()
    for _ in workers:
        real_system.start_worker()
    wait_until(lambda: real_system.has_ended(job))
    assert_optimal(real_system, job)
    final_rows = real_system.read_search_slices()
    assert all(final_rows[id_] == row for id_, row in rows.items() if row.state == SliceState.DONE)
    assert len(leased) <= len(workers)
    assert_all_searched_once(final_rows, real_system)


def test_cancelled_jobs_stop_every_slice(real_system: RealSystem) -> None:
    real_system.search_slice_s = 1_000.0
    boards = [scramble(Size(5, 5), blank_last(Size(5, 5)), seed) for seed in (1, 2)]
    jobs = [real_system.submit(board) for board in boards]
    for _ in jobs:
        real_system.start_worker()
    wait_until(lambda: len(real_system.read_leased_slices()) == len(jobs))
    for job in jobs:
        real_system.services.cancel(job, real_system.client)
    # Far sooner than the slices would have ended.
    wait_until(lambda: not real_system.read_leased_slices())
    assert all(real_system.view(job).state == JobState.CANCELLED for job in jobs)
    rows = real_system.read_search_slices().values()
    assert any(row.nodes for row in rows if row.state == SliceState.DONE)
    assert {row.state for row in rows} == {SliceState.DONE, SliceState.PARKED}


def assert_optimal(real_system: RealSystem, job: str) -> None:
    view = real_system.view(job)
    assert (view.state, view.lower_bound) == (JobState.OPTIMAL, LONG_LENGTH)
    assert view.upper_bound == real_system.replay_solution(BOARD, job) == LONG_LENGTH


def assert_all_searched_once(rows: dict[str, SliceRow], real_system: RealSystem) -> None:
    """Check that the nodes of each threshold are those of one uninterrupted search."""
    nodes = Counter[int]()
    for row in rows.values():
        nodes[row.threshold] += row.nodes
    for threshold, count in nodes.items():
        if threshold < LONG_LENGTH:
            assert count in count_nodes(threshold, real_system.settings.pdb_folder)


@cache
def count_nodes(threshold: int, pdb_folder: Path) -> list[int]:
    """Return the numbers of nodes of a complete search: unordered, and ordered if possible."""
    form = canonicalize(BOARD, blank_last(Size(5, 5)))

    def search(cursor: bytes) -> int:
        return solver.search(
            form.board, form.goal, threshold, cursor, nodes=2**62, cancelled=lambda: False
        ).nodes

    solver = LocalSolver(pdb_folder)
    counts = [search(Cursor.root().to_bytes())]
    ordering = solver.order(form.board, form.goal, threshold, workers=1, cancelled=lambda: False)
    if ordering is not None:
        counts.append(ordering.nodes + sum(search(unit.cursor) for unit in ordering.remaining))
    return counts
