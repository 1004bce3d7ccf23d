"""Submitting a comparison: its runs are stored once for everybody, and never run twice."""

from __future__ import annotations

from collections.abc import Sequence

from tilework.core.errors import OptionError
from tilework.core.lab.method import Method
from tilework.core.model.comparisons import ComparisonRequest, ComparisonView, check_cells
from tilework.core.model.runs import Comparison, KnownRun, NewRun, Place, RunSpec, digest
from tilework.core.model.states import Queue, new_id
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.solvability import check_goal, check_solvable
from tilework.core.services.lab.read import ReadLab
from tilework.core.services.lab.waiting import TRIED_AGAIN, TURN_S, check_room, queue_runs
from tilework.core.services.ports import Tickets
from tilework.core.services.tickets import announce
from tilework.core.settings import Settings
from tilework.core.storage.database import Database


class SubmitComparison:
    """Submits comparisons."""

    def __init__(self, storage: Database, tickets: Tickets, settings: Settings) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._clock = storage.clock
        self._read = ReadLab(storage, settings)

    def __call__(self, request: ComparisonRequest) -> ComparisonView:
        """Store a request.

        The same request of a client is the same comparison; where it was cancelled, or runs of it
        failed, they are tried again.

        Returns
        -------
        ComparisonView
            Ended (``finished``) where all its runs were there already.

        Raises
        ------
        OptionError
            No methods or too many runs, a limit or a board over what the settings allow, a trace
            too long for the board, a sweep of methods that all fail to promise the optimum.
        BoardError
            A goal that does not fit its board.
        UnsolvableError
            With the inversions counted.
        QuotaError, OverloadError
            Too many unfinished runs, of the client or of all.
        """
        specs = self._specs(request)
        new = self._comparison(request, specs)
        earlier = self._as_asked_before(new)
        if earlier is not None:
            return earlier
        comparison_id, waiting = self._store(new, specs)
        if waiting:
            announce(self._tickets, [Queue.LAB] * waiting)
        return self._read.view(comparison_id)

    def _specs(self, request: ComparisonRequest) -> list[tuple[int, RunSpec]]:
        """Return what is to be run, each with the index of its board."""
        settings = self._settings
        limits = request.limits.filled(settings)
        methods = list(dict.fromkeys(request.methods))
        count = len(methods) * (1 if request.sweep is None else request.sweep.boards)
        most = settings.lab_runs_per_comparison
        if not methods:
            raise OptionError("no-methods", "a comparison needs at least one method")
        if count > most:
            raise OptionError(
                "comparison-size",
                "a comparison of {count} runs is too large; at most {most} are allowed",
                count=count,
                most=most,
            )
        check_cells(request.goal.size, settings)
        if request.window is not None:
            request.window.check(request.goal.size.cells)
        return [
            (index, RunSpec(board, request.goal, method, limits, request.window))
            for index, board in enumerate(_boards(request, methods))
            for method in methods
        ]

    def _comparison(
        self, request: ComparisonRequest, specs: Sequence[tuple[int, RunSpec]]
    ) -> Comparison:
        sweep = request.sweep
        words = ["" if sweep is None else sweep.text, *(spec.key for _, spec in specs)]
        return Comparison(
            id=new_id(),
            client_id=request.client_id,
            key=digest(" ".join(words)),
            start=None if sweep is not None else request.start,
            goal=request.goal,
            methods=tuple(dict.fromkeys(request.methods)),
            limits=specs[0][1].limits,
            window=request.window,
            sweep=sweep,
            total=len(specs),
            created_at=self._clock(),
        )

    def _as_asked_before(self, new: Comparison) -> ComparisonView | None:
        """Return the same comparison where there is nothing to do for it."""
        with self._storage.reading() as session:
            earlier = session.comparisons.find_by_key(new.client_id, new.key)
        if earlier is None:
            return None
        view = self._read.view(earlier.id)
        again = view.cancelled or any(run.state in TRIED_AGAIN for run in view.runs)
        return None if again else view

    def _store(self, new: Comparison, specs: Sequence[tuple[int, RunSpec]]) -> tuple[str, int]:
        """Store everything or nothing; return the comparison's id and how many runs wait."""
        now = new.created_at
        with self._storage.writing() as session:
            session.clients.add(new.client_id, now)
            mine = session.runs.unfinished_of(new.client_id)
            comparison = session.comparisons.obtain(new)
            first = now + mine * TURN_S
            runs = [
                NewRun(new_id(), spec.key, spec, first + place * TURN_S)
                for place, (_, spec) in enumerate(specs)
            ]
            known = session.runs.obtain(_each_once(runs), now)
            waiting = queue_runs(session, _each_once(runs), known, now)
            if comparison.cancelled_at is not None:
                session.comparisons.set_cancelled(comparison.id, None)
            if comparison.id == new.id:
                session.comparisons.place(new.id, _places(specs, runs, known))
            check_room(session, self._settings, new.client_id, mine)
        return comparison.id, waiting


def _boards(request: ComparisonRequest, methods: Sequence[Method]) -> list[Board]:
    if request.sweep is not None:
        if not any(method.promises_optimum for method in methods):
            raise OptionError(
                "no-optimal-method",
                "none of these methods guarantees a shortest solution, by which the boards of a "
                "sweep are sorted; add one that does, such as a-star:manhattan",
            )
        return request.sweep.draw(request.goal)
    if request.start is None:
        raise OptionError("no-boards", "a comparison needs a board or a sweep")
    if request.exhaust:
        check_goal(request.start, request.goal)
    else:
        check_solvable(request.start, request.goal)
    return [request.start]


def _each_once(runs: Sequence[NewRun]) -> list[NewRun]:
    """Return runs without those that a sweep drew twice, which keep their first turn."""
    return list({run.key: run for run in reversed(runs)}.values())


def _places(
    specs: Sequence[tuple[int, RunSpec]], runs: Sequence[NewRun], known: dict[str, KnownRun]
) -> list[Place]:
    fresh = {run.id for run in runs}
    return [
        Place(known[run.key].id, place, index, known[run.key].id not in fresh)
        for place, ((index, _), run) in enumerate(zip(specs, runs, strict=True))
    ]
