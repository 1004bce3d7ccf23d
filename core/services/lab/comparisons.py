"""Submitting and cancelling comparisons, whose runs are shared among all clients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilework.core.errors import ForbiddenError, OptionError
from tilework.core.lab.method import Method
from tilework.core.model.ids import new_id
from tilework.core.model.lab.comparisons import MAX_RUNS, ComparisonRequest, check_cells
from tilework.core.model.lab.runs import Comparison, ComparisonView, RunPosition
from tilework.core.model.states import Queue
from tilework.core.model.task_specs import RunSpec, digest
from tilework.core.model.tasks import NewTask, StoredTask
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import check_goal, check_solvable
from tilework.core.services.lab.reader import LabReader
from tilework.core.services.tasks.queueing import REPEATABLE, queue_tasks
from tilework.core.services.tasks.runs import DELAY_S, check_capacity
from tilework.core.services.tickets import Tickets, announce
from tilework.core.settings import Settings
from tilework.core.storage.database import Database


class ComparisonService(LabReader):
    """Submits and cancels comparisons."""

    def __init__(self, storage: Database, tickets: Tickets, settings: Settings) -> None:
        super().__init__(storage)
        self._tickets = tickets
        self._settings = settings
        self._clock = storage.clock

    def submit(self, request: ComparisonRequest) -> ComparisonView:
        """Submit a comparison.

        A repeated request of a client returns the same comparison, with cancelled or failed runs
        queued again. It has ended already (``finished``) if all its runs were known.

        Raises OptionError if there are no methods or too many runs, a limit or the board is too
        large, the trace too long, or no method of a sweep guarantees the optimum.
        Raises BoardError if the goal does not fit the board, UnsolvableError if it cannot be
        reached.
        Raises QuotaError or OverloadError if the client or the service has too many unfinished
        runs.
        """
        specs = self._make_specs(request)
        new = self._make_comparison(request, specs)
        earlier = self._find_existing(new)
        if earlier is not None:
            return earlier
        comparison_id, waiting = self._store(new, specs)
        if waiting:
            announce(self._tickets, [Queue.LAB] * waiting)
        return self.view(comparison_id)

    def cancel(self, comparison_id: str, client_id: str) -> ComparisonView:
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

    def _make_specs(self, request: ComparisonRequest) -> list[tuple[int, RunSpec]]:
        settings = self._settings
        limits = request.limits.with_defaults(settings)
        methods = list(dict.fromkeys(request.methods))
        count = len(methods) * (1 if request.sweep is None else request.sweep.boards)
        if not methods:
            raise OptionError("no-methods", "a comparison needs at least one method")
        if count > MAX_RUNS:
            raise OptionError(
                "comparison-size",
                "a comparison of {count} runs is too large; at most {max} are allowed",
                count=count,
                max=MAX_RUNS,
            )
        check_cells(request.goal.size, settings)
        if request.window is not None:
            request.window.check(request.goal.size.cells)
        return [
            (index, RunSpec(board, request.goal, method, limits, request.window))
            for index, board in enumerate(_boards(request, methods))
            for method in methods
        ]

    def _make_comparison(
        self, request: ComparisonRequest, specs: Sequence[tuple[int, RunSpec]]
    ) -> Comparison:
        sweep = request.sweep
        parts = ["" if sweep is None else sweep.text, *(spec.key for _, spec in specs)]
        return Comparison(
            id=new_id(),
            client_id=request.client_id,
            key=digest(" ".join(parts)),
            start=None if sweep is not None else request.start,
            goal=request.goal,
            methods=tuple(dict.fromkeys(request.methods)),
            limits=specs[0][1].limits,
            window=request.window,
            sweep=sweep,
            total=len(specs),
            created_at=self._clock(),
        )

    def _find_existing(self, new: Comparison) -> ComparisonView | None:
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
                session.comparisons.add_runs(new.id, _positions(specs, runs, tasks))
            check_capacity(session, new.client_id, before)
        return comparison.id, waiting


def _boards(request: ComparisonRequest, methods: Sequence[Method]) -> list[Board]:
    if request.sweep is not None:
        if not any(method.guarantees_optimum for method in methods):
            raise OptionError(
                "no-optimal-method",
                "the boards of a sweep are sorted by their shortest solution, which none of "
                "these methods guarantees; add one that does, such as a-star:manhattan",
            )
        return request.sweep.draw(request.goal)
    if request.start is None:
        raise OptionError("no-boards", "a comparison needs a board or a sweep")
    if request.exhaust:
        check_goal(request.start, request.goal)
    else:
        check_solvable(request.start, request.goal)
    return [request.start]


def _without_duplicates(runs: Sequence[NewTask]) -> list[NewTask]:
    """Remove runs on boards that a sweep drew twice, except for the first one."""
    return list({run.key: run for run in reversed(runs)}.values())


def _positions(
    specs: Sequence[tuple[int, RunSpec]], runs: Sequence[NewTask], tasks: Mapping[str, StoredTask]
) -> list[RunPosition]:
    new_ids = {run.id for run in runs}
    return [
        RunPosition(tasks[run.key].id, position, index, tasks[run.key].id not in new_ids)
        for position, ((index, _), run) in enumerate(zip(specs, runs, strict=True))
    ]
