"""The storage's ports for the lab: runs, and the comparisons that share them.

Who locks a comparison and its runs locks the comparison first, then the runs by key.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from tilework.core.model.leases import Holder, Lease
from tilework.core.model.runs import (
    Comparison,
    KnownRun,
    NewRun,
    Place,
    PlacedRun,
    RunClaim,
    RunEnd,
    RunRow,
    RunSpec,
)
from tilework.core.puzzle.moves import Moves


class SearchRuns(Protocol):
    """One row per run."""

    def obtain(self, runs: Sequence[NewRun], now: float) -> dict[str, KnownRun]:
        """Return runs by key, locked; those that are new are inserted and wait."""

    def queue(self, run_id: str, turn: float, now: float) -> None:
        """Let a locked run that failed or was cancelled wait for its turn again."""

    def hasten(self, run_id: str, turn: float) -> None:
        """Let a locked run that waits have an earlier turn."""

    def lock(self, run_id: str) -> None:
        """Lock a run until the transaction ends."""

    def claim(self, holder: Holder, now: float) -> RunClaim | None:
        """Lease the run whose turn it is, past those that others have locked."""

    def renew(self, lease: Lease, until: float) -> None:
        """Renew a lease that is still held."""

    def held(self, lease: Lease) -> bool:
        """Whether a lease is still held: not so once nobody asks for the run any more."""

    def overdue(self, lease: Lease, now: float) -> bool:
        """Whether a lease has run out, and stays so until the transaction ends."""

    def release(self, lease: Lease, now: float) -> None:
        """Give a run back; the attempt is not counted."""

    def retry(self, lease: Lease, now: float) -> None:
        """Let a run wait again after an attempt that came to nothing."""

    def finish(self, lease: Lease, end: RunEnd, now: float) -> bool:
        """Store how a run ended; False where the lease is lost."""

    def expired(self, now: float) -> list[Lease]:
        """Return leases that ran out, at most 100."""

    def lock_unfinished(self, comparison_id: str) -> list[str]:
        """Return the runs of a comparison that have not ended, locked: none can end meanwhile."""

    def cancel_unwanted(self, run_ids: Sequence[str], now: float) -> None:
        """End those of locked, unfinished runs that nobody asks for any more."""

    def unfinished_of(self, client_id: str) -> int:
        """Count the unfinished runs that a client asks for."""

    def unfinished(self) -> int:
        """Count the unfinished runs of the whole service."""

    def some_ready(self) -> bool:
        """Whether a run waits."""

    def ready(self) -> int:
        """Count the runs that wait."""

    def row(self, run_id: str) -> RunRow | None:
        """Return a run."""

    def spec(self, run_id: str) -> RunSpec:
        """Return what a run does."""

    def moves(self, run_id: str) -> Moves | None:
        """Return a run's solution."""

    def trace(self, run_id: str) -> dict[str, Any] | None:
        """Return a run's trace as it was stored."""


class Comparisons(Protocol):
    """One row per comparison, and one for each place in it."""

    def obtain(self, new: Comparison) -> Comparison:
        """Return the one comparison of a client and a key, locked, inserted if it is new."""

    def place(self, comparison_id: str, places: Sequence[Place]) -> None:
        """Give runs their places."""

    def set_cancelled(self, comparison_id: str, at: float | None) -> None:
        """Record that a comparison is cancelled, or that it no longer is."""

    def lock(self, comparison_id: str) -> Comparison | None:
        """Return a comparison, locked until the transaction ends."""

    def find(self, comparison_id: str) -> Comparison | None:
        """Return a comparison."""

    def find_by_key(self, client_id: str, key: str) -> Comparison | None:
        """Return the comparison of a client and a key."""

    def among(self, ids: Collection[str]) -> list[Comparison]:
        """Return comparisons by their ids."""

    def of_client(self, client_id: str, most: int) -> list[Comparison]:
        """Return a client's comparisons, newest first."""

    def runs(self, comparison_ids: Collection[str]) -> Mapping[str, list[PlacedRun]]:
        """Return the runs of comparisons, each comparison's in order."""

    def version(self, comparison_id: str) -> str | None:
        """Return what changes with every change of a comparison; None if there is none."""
