"""Reading the lab: comparisons with their runs, and single runs with solution and trace."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from tilework.core.errors import NotFoundError
from tilework.core.lab.method import is_optimal, proven_length
from tilework.core.model.ids import MAX_QUOTED
from tilework.core.model.lab.comparisons import RunDetailView, RunView
from tilework.core.model.lab.runs import Comparison, ComparisonView, PlacedRun, Run, version_text
from tilework.core.model.tasks import unpack_json
from tilework.core.puzzle.packing import unpack
from tilework.core.puzzle.replay import replay
from tilework.core.services.long_polling import wait_for_change
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session

MAX_COMPARISONS = 100


class LabReader:
    """Read-only access to comparisons and runs."""

    def __init__(self, storage: Database) -> None:
        self._storage = storage

    def view(self, comparison_id: str) -> ComparisonView:
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

    def wait(self, comparison_id: str, version: str, seconds: float) -> ComparisonView:
        """Return the view once its version differs, or after this many seconds."""
        wait_for_change(partial(self.version, comparison_id), version, seconds)
        return self.view(comparison_id)

    def list_by_client(self, client_id: str, limit: int = 20) -> list[ComparisonView]:
        """Return a client's comparisons with their runs, newest first, at most 100."""
        limit = min(limit, MAX_COMPARISONS)
        return self._views(lambda session: session.comparisons.list_by_client(client_id, limit))

    def list_by_ids(self, ids: Collection[str]) -> list[ComparisonView]:
        """Return comparisons by their ids, with their runs; deleted ones are left out."""
        return self._views(lambda session: session.comparisons.list_by_ids(ids))

    def _views(self, read: Callable[[Session], Sequence[Comparison]]) -> list[ComparisonView]:
        with self._storage.reading() as session:
            comparisons = read(session)
            runs = session.comparisons.runs([comparison.id for comparison in comparisons])
        return [_view(comparison, runs[comparison.id]) for comparison in comparisons]

    def run(self, run_id: str) -> RunDetailView:
        """Return a run with its boards and its solution.

        Raises ReplayError if the stored moves do not solve the board.
        """
        with self._storage.reading() as session:
            row = session.comparisons.run(run_id)
            if row is None:
                raise _run_not_found(run_id)
            result = session.tasks.result(run_id)
            spec = session.comparisons.spec(run_id)
        packed = None if result is None else result.solutions
        moves = None if packed is None else unpack(packed)
        if moves is not None:
            replay(spec.start, moves, spec.goal)
        return RunDetailView(
            run=_run_view(PlacedRun(0, False, row), None),
            start=spec.start,
            goal=spec.goal,
            limits=spec.limits,
            window=spec.window,
            moves=moves,
        )

    def trace(self, run_id: str) -> dict[str, Any] | None:
        """Return a run's trace as a JSON value; None if it has none yet, or none was requested."""
        with self._storage.reading() as session:
            if session.comparisons.run(run_id) is None:
                raise _run_not_found(run_id)
            result = session.tasks.result(run_id)
        return None if result is None or result.detail is None else unpack_json(result.detail)


def _view(comparison: Comparison, runs: Sequence[PlacedRun]) -> ComparisonView:
    by_board: dict[int, list[Run]] = {}
    for placed in runs:
        by_board.setdefault(placed.board_index, []).append(placed.run)
    optima = {
        index: proven_length((run.method, run.figures.length) for run in board_runs)
        for index, board_runs in by_board.items()
    }
    version = sum(placed.run.version for placed in runs)
    return ComparisonView(
        **vars(comparison),
        runs=tuple(_run_view(placed, optima[placed.board_index]) for placed in runs),
        version=version_text(version, comparison.cancelled_at is not None),
    )


def _run_view(placed: PlacedRun, optimum: int | None) -> RunView:
    run, figures = placed.run, placed.run.figures
    return RunView(
        id=run.id,
        board_index=placed.board_index,
        method=run.method,
        state=run.state,
        shared=placed.shared,
        length=figures.length,
        optimal=is_optimal(run.method, figures.length, optimum),
        stopped_by=figures.stopped_by,
        message=run.message,
        statistics=figures.statistics,
        has_trace=run.has_trace,
    )


def _comparison_not_found(comparison_id: str) -> NotFoundError:
    return NotFoundError(
        "no-comparison", "there is no comparison {id!r}", id=comparison_id[:MAX_QUOTED]
    )


def _run_not_found(run_id: str) -> NotFoundError:
    return NotFoundError("no-run", "there is no run {id!r}", id=run_id[:MAX_QUOTED])
