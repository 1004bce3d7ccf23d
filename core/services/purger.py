"""Deleting what is kept no longer, in the background and a few rows at a time.

Solutions, bounds and the slices that certificates are made of stay; who asked for them, when, and
how it went does not.
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
"""Between two times that everything old is looked for."""

TIDY_EVERY_S: Final = 30.0
"""Between two times that the database gives space back."""

AIM_S: Final = 0.005
"""What a transaction may take: on SQLite nobody can claim meanwhile."""

REST_S: Final = 0.02
"""Between two transactions: whoever waits for the first comes before the second."""

MOST_ROWS: Final = 200
_LEAST_ROWS: Final = 5
_STEPS_A_ROUND: Final = 6

# A comparison has up to this many more rows than the others.
_RUNS_A_COMPARISON: Final = 50


class Purger:
    """Deletes old rows; any number of instances may do so at once."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._keys_days = _shorter(settings.keep_keys_days, settings.keep_jobs_days)
        self._jobs_days = settings.keep_jobs_days
        # In this order: what goes first lets the next ones go.
        self._days = {
            Kind.BATCH: settings.keep_jobs_days,
            Kind.COMPARISON: settings.keep_comparisons_days,
            Kind.RUN: settings.keep_comparisons_days,
            Kind.GAME: settings.keep_analyses_days,
            Kind.SHORTEST_PATHS: settings.keep_analyses_days,
            Kind.CLIENT: settings.keep_clients_days,
        }
        # No longer than what is gone first, looked at from when they were made.
        self._days[Kind.MARK] = min(
            (days for days in self._days.values() if days is not None), default=None
        )
        self._after = dict.fromkeys(Kind, "")
        self._rows = MOST_ROWS
        self._due = self._tidy_due = 0.0

    def run_once(self) -> None:
        """Delete some rows that are due; every few minutes, look whether there are any."""
        if time.monotonic() >= self._due and not self._go_on(_STEPS_A_ROUND):
            self._due = time.monotonic() + PAUSE_S
        if time.monotonic() >= self._tidy_due:
            self._storage.reclaim_space()
            self._tidy_due = time.monotonic() + TIDY_EVERY_S

    def _go_on(self, steps: int) -> bool:
        """Take some steps; say whether anything may be left."""
        for _ in range(steps):
            if not (self._drop_keys() or self._drop_jobs() or any(map(self._drop_old, Kind))):
                return False
            time.sleep(REST_S)
        return True

    def _drop_keys(self) -> bool:
        """Delete keys before the jobs that they stand for; say whether there may be more."""
        if self._keys_days is None:
            return False
        before = self._clock() - self._keys_days * DAY_S
        with self._briefly() as session:
            most = self._rows
            return session.retention.drop_keys(before, most) == most

    def _drop_jobs(self) -> bool:
        if self._jobs_days is None:
            return False
        before = self._clock() - self._jobs_days * DAY_S
        with self._storage.reading() as session:
            if not session.retention.old_jobs(before, 1):
                return False
        with self._briefly() as session:
            retention, most = session.retention, self._rows
            jobs = retention.old_jobs(before, most)
            ids = [job.id for job in jobs]
            solves = {job.solve_id for job in jobs if job.solve_id is not None}
            apart = retention.apart(solves)
            # While their jobs are there, what belongs to them will be found again.
            if (
                retention.drop_surplus_slices(solves, most) < most
                and retention.drop_slices(apart, most) < most
                and retention.drop_history(solves, ids, most) < most
            ):
                retention.drop_jobs(ids)
                retention.drop_solves(apart)
            return bool(jobs)

    def _drop_old(self, kind: Kind) -> bool:
        days = self._days[kind]
        if days is None:
            return False
        before = self._clock() - days * DAY_S
        most = self._rows
        if kind is Kind.COMPARISON:
            most = max(1, most // _RUNS_A_COMPARISON)
        with self._storage.reading() as session:
            page = session.retention.old(kind, before, self._after[kind], most)
        if page.unused:
            with self._briefly() as session:
                session.retention.drop(kind, page.unused)
        self._after[kind] = page.last or ""
        return page.last is not None

    @contextmanager
    def _briefly(self) -> Iterator[Session]:
        """Open a transaction, and learn from it how many rows fit the next one."""
        with self._storage.writing() as session:
            began = time.perf_counter()
            yield session
        took = time.perf_counter() - began
        fitting = int(self._rows * min(AIM_S / max(took, 1e-6), 2.0))
        self._rows = min(max(fitting, _LEAST_ROWS), MOST_ROWS)


def _shorter(one: float | None, other: float | None) -> float | None:
    """Return the shorter of two times; None is for ever."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)
