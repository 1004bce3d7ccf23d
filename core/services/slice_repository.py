"""The storage's side of the bargain where work is given out: slices, proofs and workers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from core.services.farm import Farm
from core.services.records import Claim, Found, Lease, ProofSlice, Proved, Slice
from core.services.states import Queue, SliceState


class Slices(Protocol):
    """One row a piece of work."""

    def add(self, slices: Sequence[Slice], now: float, lease: Lease | None = None) -> None:
        """Insert slices; those that are leased already have this lease."""

    def next(self, queue: Queue, most: int) -> list[Claim]:
        """Return the slices whose turn it is, locked, past those that others have locked."""

    def lease(self, ids: Collection[str], owner: str, until: float, now: float) -> None:
        """Claim locked slices; the attempt is counted before it is made."""

    def renew(self, ids: Collection[str], owner: str, until: float) -> None:
        """Make leases last longer, those that are still held."""

    def release(self, ids: Collection[str], owner: str) -> None:
        """Give back slices that were claimed and not begun."""

    def wanted(self, ids: Collection[str], owner: str) -> set[str]:
        """Return which of these are still held, and still asked for by somebody."""

    def finish(self, piece: Slice, found: Found, now: float) -> bool:
        """Mark a slice done; False where it was done before, is gone or of another epoch."""

    def drop(self, slice_id: str) -> bool:
        """Delete a slice; False where it is gone."""

    def drop_all(self, solve_id: str) -> None:
        """Delete every slice of a solve that is not done."""

    def forget(self, solve_id: str, threshold: int = 0) -> None:
        """Delete every slice of a solve, or those from a threshold on, done or not."""

    def expired(self, now: float) -> list[Slice]:
        """Return slices whose lease ran out, at most 100."""

    def put(
        self, piece: Slice, state: SliceState, expiries: int, now: float, message: str | None = None
    ) -> bool:
        """Change a slice's state unless it was claimed again since it was read."""

    def counts(self, solve_id: str) -> Mapping[SliceState, int]:
        """Count the slices of a solve that are not done, by state, but for tries to improve."""

    def change_all(
        self,
        solve_id: str,
        current: SliceState,
        to: SliceState,
        *,
        turn: float,
        now: float,
        latest: float | None = None,
    ) -> int:
        """Change every slice of a solve in one state, or those last touched by a time."""

    def aside_message(self, solve_id: str) -> str | None:
        """Return why a slice of a solve was set aside."""

    def first_turn(self, but_of: str | None) -> float | None:
        """Return the first turn in the queue of long searches, but of a solve; None for nobody."""

    def some_ready(self, queue: Queue) -> bool:
        """Whether anything waits in a queue."""

    def ready(self, queue: Queue) -> int:
        """Count the slices that wait in a queue."""


class Proofs(Protocol):
    """What proves a lower bound: the done slices of search of the thresholds under it."""

    def proved(self, solve_id: str) -> Proved:
        """Return what is proved of a solve, and in which epoch."""

    def last_threshold(self, solve_id: str, epoch: int, below: int) -> int | None:
        """Return the last threshold under a bound of which done slices are kept."""

    def page(
        self, solve_id: str, epoch: int, threshold: int, after: str, most: int
    ) -> list[ProofSlice]:
        """Return done slices of a threshold in the order of their ids, from after an id."""


class Workers(Protocol):
    """One row a worker process."""

    def seen(self, name: str, now: float) -> None:
        """Note that a worker is there."""

    def leave(self, name: str) -> None:
        """Note that a worker is there no more."""

    def forget(self, before: float) -> None:
        """Delete workers that were last seen before a time."""

    def look(self, solve_id: str, short: Collection[Queue], since: float) -> Farm:
        """Count what goes on, for a solve: workers seen since a time, short work in some queues."""
