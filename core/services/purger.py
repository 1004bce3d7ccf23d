"""Deletes expired rows in the background, a few at a time.

Solutions, bounds and the slices that certificates need are kept. Data about who requested them and
when, and about the progress of the search, is deleted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.retention import Kind
from tilework.core.storage.session import Session

DAY_S: Final = 86_400.0

SCAN_INTERVAL_S: Final = 300.0
"""Seconds between two searches for expired rows."""

TIDY_INTERVAL_S: Final = 30.0
"""Seconds between two attempts to shrink the database."""

TARGET_S: Final = 0.005
"""Target duration of a transaction. SQLite allows no other writer at the same time."""

PAUSE_S: Final = 0.02
"""Pause between two transactions for waiting writers."""

MAX_ROWS: Final = 200
_MIN_ROWS: Final = 5
_STEPS_PER_ROUND: Final = 6

# A comparison can have this many times as many rows as other entries.
_RUNS_PER_COMPARISON: Final = 50

# How long idempotency keys are kept, but never longer than their jobs, and clients without
# requests and API keys.
_KEYS_DAYS: Final = 7.0
_CLIENTS_DAYS: Final = 400.0


class Purger:
    """Deletes expired rows. Any number of instances can run in parallel."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._jobs_days = settings.keep_jobs_days
        self._keys_days = min(_KEYS_DAYS, self._jobs_days or _KEYS_DAYS)
        # Order matters: rows that refer to others are deleted first.
        self._days = {
            Kind.BATCH: settings.keep_jobs_days,
            Kind.COMPARISON: settings.keep_comparisons_days,
            Kind.RUN: settings.keep_comparisons_days,
            Kind.GAME: settings.keep_comparisons_days,
            Kind.SHORTEST_PATHS: settings.keep_comparisons_days,
            Kind.CLIENT: _CLIENTS_DAYS,
        }
        self._after = dict.fromkeys(Kind, "")
        self._remaining_kinds = list(Kind)
        self._rows = MAX_ROWS
        self._due = self._tidy_due = 0.0

    def run_once(self) -> None:
        """Delete some expired rows; every few minutes, check whether there are any."""
        if time.monotonic() >= self._due and not self._run_steps(_STEPS_PER_ROUND):
            self._due = time.monotonic() + SCAN_INTERVAL_S
        if time.monotonic() >= self._tidy_due:
            self._storage.reclaim_space()
            self._tidy_due = time.monotonic() + TIDY_INTERVAL_S

    def _run_steps(self, steps: int) -> bool:
        """Run some steps; return whether anything may be left."""
        for _ in range(steps):
            if not (self._drop_keys() or self._drop_jobs() or self._drop_next_kind()):
                return False
            time.sleep(PAUSE_S)
        return True

    def _drop_keys(self) -> bool:
        """Delete keys before their jobs; return whether there may be more."""
        before = self._clock() - self._keys_days * DAY_S
        with self._timed_transaction() as session:
            max_rows = self._rows
            return session.retention.drop_keys(before, max_rows) == max_rows

    def _drop_jobs(self) -> bool:
        if self._jobs_days is None:
            return False
        before = self._clock() - self._jobs_days * DAY_S
        with self._storage.reading() as session:
            if not session.retention.old_jobs(before, 1):
                return False
        with self._timed_transaction() as session:
            retention, max_rows = session.retention, self._rows
            jobs = retention.old_jobs(before, max_rows)
            ids = [job.id for job in jobs]
            solves = {job.solve_id for job in jobs if job.solve_id is not None}
            private_solves = retention.private_solves(solves)
            # As long as the jobs exist, the next round finds their dependent rows again.
            if (
                retention.drop_surplus_slices(solves, max_rows) < max_rows
                and retention.drop_slices(private_solves, max_rows) < max_rows
                and retention.drop_history(solves, ids, max_rows) < max_rows
            ):
                retention.drop_jobs(ids)
                retention.drop_solves(private_solves)
            return bool(jobs)

    def _drop_next_kind(self) -> bool:
        """Continue with the kind of the last step; return False after the last kind."""
        while self._remaining_kinds:
            if self._drop_old(self._remaining_kinds[0]):
                return True
            self._remaining_kinds.pop(0)
        self._remaining_kinds = list(Kind)
        return False

    def _drop_old(self, kind: Kind) -> bool:
        days = self._days[kind]
        if days is None:
            return False
        before = self._clock() - days * DAY_S
        max_rows = self._rows
        if kind is Kind.COMPARISON:
            max_rows = max(1, max_rows // _RUNS_PER_COMPARISON)
        with self._storage.reading() as session:
            page = session.retention.old(kind, before, self._after[kind], max_rows)
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
        elapsed = time.perf_counter() - started
        rows = int(self._rows * min(TARGET_S / max(elapsed, 1e-6), 2.0))
        self._rows = min(max(rows, _MIN_ROWS), MAX_ROWS)
