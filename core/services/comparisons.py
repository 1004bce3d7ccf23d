"""Comparisons: submitting, reading and cancelling them; all clients share their runs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from tilework.core.errors import (
    ForbiddenError,
    NotFoundError,
    OptionError,
    OverloadError,
    QuotaError,
)
from tilework.core.lab.methods import is_optimal, proven_length
from tilework.core.messages import plural
from tilework.core.model.comparisons import (
    MAX_RUNS,
    ComparedRun,
    Comparison,
    ComparisonOptions,
    check_cells,
    check_memory,
)
from tilework.core.model.ids import MAX_QUOTED, new_id
from tilework.core.model.states import Queue
from tilework.core.model.tasks import (
    NewTask,
    RunDetail,
    RunSpec,
    TaskKind,
    digest,
    unpack_json,
)
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import check_goal, check_solvable
from tilework.core.puzzle.packing import unpack
from tilework.core.puzzle.replay import replay
from tilework.core.services.long_polling import wait_for_change
from tilework.core.services.tasks.state_machine import REPEATABLE, queue_tasks
from tilework.core.services.tickets import Tickets, announce
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session

DELAY_S: Final = 1.0
"""Seconds by which each unfinished run of a client delays the next one, which interleaves the runs
of different clients.
"""

RUNS_PER_CLIENT: Final = 4_000
MAX_UNFINISHED_RUNS: Final = 40_000


class ComparisonService:
    """Submits, reads and cancels comparisons, and reads their runs."""

    def __init__(self, storage: Database, tickets: Tickets, settings: Settings) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._clock = storage.clock

    def view(self, comparison_id: str) -> Comparison:
        """Return a comparison.

        Raises NotFoundError, like the other methods, if there is none with this id.
        """
        views = self.list_by_ids([comparison_id])
        if not views:
            raise _comparison_not_found(comparison_id)
        return views[0]

    def version(self, comparison_id: str) -> str:
        """Return only the version of a comparison's view, which is much cheaper."""
        with self._storage.reading() as session:
            version = session.comparisons.version(comparison_id)
        if version is None:
            raise _comparison_not_found(comparison_id)
        return version

    def wait(self, comparison_id: str, version: str, seconds: float) -> Comparison:
        """Return the view once its version differs, or after this many seconds."""
        wait_for_change(partial(self.version, comparison_id), version, seconds)
        return self.view(comparison_id)

    def list_by_ids(self, ids: Collection[str]) -> list[Comparison]:
        """Return comparisons by their ids, with their runs; deleted ones are left out."""
        with self._storage.reading() as session:
            comparisons = session.comparisons.list_by_ids(ids)
            runs = session.comparisons.runs([comparison.id for comparison in comparisons])
        return [
            replace(comparison, runs=_compare(runs[comparison.id])) for comparison in comparisons
        ]

    def run(self, run_id: str) -> RunDetail:
        """Return a run with its boards and its solution.

        Raises ReplayError if the stored moves do not solve the board.
        """
        with self._storage.reading() as session:
            found = session.comparisons.run(run_id)
            if found is None:
                raise _run_not_found(run_id)
            result = session.tasks.result(run_id)
        run, spec = found
        packed = None if result is None else result.solutions
        moves = None if packed is None else unpack(packed)
        if moves is not None:
            replay(spec.start, moves, spec.goal)
        run.optimal = is_optimal(run.method, run.length, None)
        return RunDetail(**dict(run), spec=spec, moves=moves)

    def trace(self, run_id: str) -> dict[str, Any] | None:
        """Return a run's trace as a JSON value; None if it has none yet, or none was requested."""
        with self._storage.reading() as session:
            if session.comparisons.run(run_id) is None:
                raise _run_not_found(run_id)
            result = session.tasks.result(run_id)
        return None if result is None or result.detail is None else unpack_json(result.detail)

    def submit(
        self, client_id: str, start: Board | None, goal: Board, options: ComparisonOptions
    ) -> Comparison:
        """Submit a comparison on one board, or on the boards of a sweep, which has only a goal.

        A repeated request of a client returns the same comparison, with cancelled or failed runs
        queued again. It has ended already (``finished``) if all its runs were known.

        Raises OptionError if there are too many runs, the memory limit or the board is too large,
        the trace too long, or no method of a sweep guarantees the optimum.
        Raises BoardError if the goal does not fit the board, UnsolvableError if it cannot be
        reached.
        Raises QuotaError or OverloadError if the client or the service has too many unfinished
        runs.
        """
        specs = self._make_specs(start, goal, options)
        new = self._make_comparison(client_id, start, goal, options, specs)
        earlier = self._find_existing(new)
        if earlier is not None:
            return earlier
        comparison_id, waiting = self._store(new, specs)
        if waiting:
            announce(self._tickets, [Queue.LAB] * waiting)
        return self.view(comparison_id)

    def cancel(self, comparison_id: str, client_id: str) -> Comparison:
        """Cancel a comparison unless it has ended.

        Runs that others requested as well continue. The other runs end immediately; their workers
        stop within half a second.

        Raises NotFoundError if there is no such comparison, ForbiddenError if it belongs to
        another client.
        """
        view = self.view(comparison_id)
        if view.client_id != client_id:
            raise ForbiddenError(
                "foreign-comparison",
                "the comparison {id!r} belongs to someone else; you can only view it",
                id=comparison_id,
            )
        if view.finished or view.cancelled:
            return view
        with self._storage.writing() as session:
            # The last run may have ended since the comparison was read.
            comparison = session.comparisons.lock(comparison_id)
            unfinished = session.comparisons.lock_unfinished(comparison_id)
            if comparison is not None and comparison.cancelled_at is None and unfinished:
                now = self._clock()
                session.comparisons.set_cancelled(comparison_id, now)
                session.comparisons.cancel_unwanted(unfinished, now)
        return self.view(comparison_id)

    def _make_specs(
        self, start: Board | None, goal: Board, options: ComparisonOptions
    ) -> list[tuple[int, RunSpec]]:
        limits, methods, window = options.limits, options.list_methods(), options.trace
        check_memory(limits, self._settings)
        count = len(methods) * (1 if options.sweep is None else options.sweep.boards)
        if count > MAX_RUNS:
            raise OptionError(
                "comparison-size",
                "a comparison of {count} runs is too large; at most {max} are allowed",
                count=count,
                max=MAX_RUNS,
            )
        check_cells(goal.size, self._settings)
        if window is not None:
            window.check(goal.size.cells)
        return [
            (index, RunSpec(board, goal, method, limits, window))
            for index, board in enumerate(_boards(start, goal, options))
            for method in methods
        ]

    def _make_comparison(
        self,
        client_id: str,
        start: Board | None,
        goal: Board,
        options: ComparisonOptions,
        specs: Sequence[tuple[int, RunSpec]],
    ) -> Comparison:
        sweep = options.sweep
        parts = ["" if sweep is None else sweep.text, *(spec.key for _, spec in specs)]
        return Comparison(
            id=new_id(),
            client_id=client_id,
            key=digest(" ".join(parts)),
            start=None if sweep is not None else start,
            goal=goal,
            methods=options.list_methods(),
            limits=options.limits,
            window=options.trace,
            sweep=sweep,
            total=len(specs),
            created_at=self._clock(),
        )

    def _find_existing(self, new: Comparison) -> Comparison | None:
        """Return the existing comparison if there is nothing left to do for it."""
        with self._storage.reading() as session:
            earlier = session.comparisons.find_by_key(new.client_id, new.key)
        if earlier is None:
            return None
        view = self.view(earlier.id)
        must_repeat = view.cancelled or any(run.state in REPEATABLE for run in view.runs)
        return None if must_repeat else view

    def _store(self, new: Comparison, specs: Sequence[tuple[int, RunSpec]]) -> tuple[str, int]:
        """Store a comparison with its runs; return its id and the number of queued runs."""
        now = new.created_at
        with self._storage.writing() as session:
            session.clients.add(new.client_id, now)
            before = session.comparisons.count_unfinished_runs(new.client_id)
            comparison = session.comparisons.get_or_create(new)
            first = now + before * DELAY_S
            runs = [
                NewTask(new_id(), spec.key, spec, Queue.LAB, first + position * DELAY_S)
                for position, (_, spec) in enumerate(specs)
            ]
            tasks, waiting = queue_tasks(session, _without_duplicates(runs), now)
            if comparison.cancelled_at is not None:
                session.comparisons.set_cancelled(comparison.id, None)
            if comparison.id == new.id:
                new_ids = {run.id for run in runs}
                stored = [tasks[run.key].id for run in runs]
                session.comparisons.add_runs(
                    new.id,
                    [
                        (id_, index, id_ not in new_ids)
                        for id_, (index, _) in zip(stored, specs, strict=True)
                    ],
                )
            _check_capacity(session, new.client_id, before)
        return comparison.id, waiting


def _boards(start: Board | None, goal: Board, options: ComparisonOptions) -> list[Board]:
    if options.sweep is not None:
        if not any(method.guarantees_optimum for method in options.list_methods()):
            raise OptionError(
                "no-optimal-method",
                "the boards of a sweep are sorted by their shortest solution, which none of "
                "these methods guarantees; add one that does, such as a-star:manhattan",
            )
        return options.sweep.draw(goal)
    if start is None:
        raise OptionError("no-boards", "a comparison needs a board or a sweep")
    if options.exhaust:
        check_goal(start, goal)
    else:
        check_solvable(start, goal)
    return [start]


def _without_duplicates(runs: Sequence[NewTask]) -> list[NewTask]:
    """Remove runs on boards that a sweep drew twice, except for the first one."""
    return list({run.key: run for run in reversed(runs)}.values())


def _check_capacity(session: Session, client_id: str, before: int) -> None:
    """Raise if the runs just stored are too many, which rolls the transaction back.

    ``before``: the client's unfinished runs before that.
    """
    after = session.comparisons.count_unfinished_runs(client_id)
    if after > max(before, RUNS_PER_CLIENT):
        raise QuotaError(
            plural(
                "run-quota",
                "you have {count} unfinished run; {more} more would exceed the limit of {max}",
                "you have {count} unfinished runs; {more} more would exceed the limit of {max}",
                count=before,
                more=after - before,
                max=RUNS_PER_CLIENT,
            )
        )
    if after > before and session.tasks.count_unfinished([TaskKind.RUN]) > MAX_UNFINISHED_RUNS:
        raise OverloadError(
            plural(
                "run-overload",
                "the lab has {count} unfinished run and accepts no more for now",
                "the lab has {count} unfinished runs and accepts no more for now",
                count=MAX_UNFINISHED_RUNS,
            )
        )


def _compare(runs: Sequence[ComparedRun]) -> Sequence[ComparedRun]:
    """Say of each run whether it is optimal, as another run on its board may prove."""
    by_board: dict[int, list[ComparedRun]] = {}
    for run in runs:
        by_board.setdefault(run.board_index, []).append(run)
    for board_runs in by_board.values():
        optimum = proven_length((run.method, run.length) for run in board_runs)
        for run in board_runs:
            run.optimal = is_optimal(run.method, run.length, optimum)
            run.optimal_length = optimum
    return runs


def _comparison_not_found(comparison_id: str) -> NotFoundError:
    return NotFoundError(
        "no-comparison", "there is no comparison {id!r}", id=comparison_id[:MAX_QUOTED]
    )


def _run_not_found(run_id: str) -> NotFoundError:
    return NotFoundError("no-run", "there is no run {id!r}", id=run_id[:MAX_QUOTED])
