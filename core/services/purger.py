"""Deletes expired rows in the background, a few at a time.

Solutions, bounds and the slices that certificates need are kept. Everything about who requested
them, when, and how the search went is deleted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.old_rows import Kind
from tilework.core.storage.session import Session

DAY_S: Final = 86_400.0

PAUSE_S: Final = 300.0
"""Seconds between two searches for expired rows."""

TIDY_EVERY_S: Final = 30.0
"""Seconds between two attempts to shrink the database."""

AIM_S: Final = 0.005
"""Target duration of a transaction: on SQLite, nobody else can write meanwhile."""

REST_S: Final = 0.02
"""Pause between two transactions, which lets waiting writers go first."""

MAX_ROWS: Final = 200
_MIN_ROWS: Final = 5
_STEPS_PER_ROUND: Final = 6

# A comparison can have this many more rows than other entries.
_RUNS_PER_COMPARISON: Final = 50


class Purger:
    """Deletes expired rows. Any number of instances can run in parallel."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._keys_days = _min_days(settings.keep_keys_days, settings.keep_jobs_days)
        self._jobs_days = settings.keep_jobs_days
        # Order matters: rows that refer to others are deleted first.
        self._days = {
            Kind.BATCH: settings.keep_jobs_days,
            Kind.COMPARISON: settings.keep_comparisons_days,
            Kind.RUN: settings.keep_comparisons_days,
            Kind.GAME: settings.keep_analyses_days,
            Kind.SHORTEST_PATHS: settings.keep_analyses_days,
            Kind.CLIENT: settings.keep_clients_days,
        }
        # As long as the shortest-lived entry, counted from creation.
        self._days[Kind.MARK] = min(
            (days for days in self._days.values() if days is not None), default=None
        )
        self._after = dict.fromkeys(Kind, "")
        self._rows = MAX_ROWS
        self._due = self._tidy_due = 0.0

    def run_once(self) -> None:
        """Delete some expired rows; every few minutes, check whether there are any."""
        if time.monotonic() >= self._due and not self._run_steps(_STEPS_PER_ROUND):
            self._due = time.monotonic() + PAUSE_S
        if time.monotonic() >= self._tidy_due:
            self._storage.reclaim_space()
            self._tidy_due = time.monotonic() + TIDY_EVERY_S

    def _run_steps(self, steps: int) -> bool:
        """Run some steps; return whether anything may be left."""
        for _ in range(steps):
            if not (self._drop_keys() or self._drop_jobs() or any(map(self._drop_old, Kind))):
                return False
            time.sleep(REST_S)
        return True

    def _drop_keys(self) -> bool:
        """Delete keys before their jobs; return whether there may be more."""
        if self._keys_days is None:
            return False
        before = self._clock() - self._keys_days * DAY_S
        with self._timed_transaction() as session:
            most = self._rows
            return session.retention.drop_keys(before, most) == most

    def _drop_jobs(self) -> bool:
        if self._jobs_days is None:
            return False
        before = self._clock() - self._jobs_days * DAY_S
        with self._storage.reading() as session:
            if not session.retention.old_jobs(before, 1):
                return False
        with self._timed_transaction() as session:
            retention, most = session.retention, self._rows
            jobs = retention.old_jobs(before, most)
            ids = [job.id for job in jobs]
            solves = {job.solve_id for job in jobs if job.solve_id is not None}
            private_solves = retention.private_solves(solves)
            # As long as their jobs exist, dependent rows will be found again.
            if (
                retention.drop_surplus_slices(solves, most) < most
                and retention.drop_slices(private_solves, most) < most
                and retention.drop_history(solves, ids, most) < most
            ):
                retention.drop_jobs(ids)
                retention.drop_solves(private_solves)
            return bool(jobs)

    def _drop_old(self, kind: Kind) -> bool:
        days = self._days[kind]
        if days is None:
            return False
        before = self._clock() - days * DAY_S
        most = self._rows
        if kind is Kind.COMPARISON:
            most = max(1, most // _RUNS_PER_COMPARISON)
        with self._storage.reading() as session:
            page = session.retention.old(kind, before, self._after[kind], most)
        if page.unused:
            with self._timed_transaction() as session:
                session.retention.drop(kind, page.unused)
        self._after[kind] = page.last or ""
        return page.last is not None

    @contextmanager
    def _timed_transaction(self) -> Iterator[Session]:
        """Open a transaction, and adapt the number of rows of the next one to its duration."""
        with self._storage.writing() as session:
            started = time.perf_counter()
            yield session
        took = time.perf_counter() - started
        fitting = int(self._rows * min(AIM_S / max(took, 1e-6), 2.0))
        self._rows = min(max(fitting, _MIN_ROWS), MAX_ROWS)


def _min_days(one: float | None, other: float | None) -> float | None:
    """Return the shorter of two times; None means unlimited."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)
