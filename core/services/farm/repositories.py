"""The storage's ports for the farm: slices, lives, proofs and workers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from tilework.core.model.changes import Applied, Decision, Situation, WorkGroup
from tilework.core.model.leases import Holder, Lease
from tilework.core.model.solves import Claim, ProofSlice, Proved, Slice, Solve
from tilework.core.model.states import Queue
from tilework.core.model.workload import Farm


class Slices(Protocol):
    """One row per slice. How it ends is a decision that `Lives` applies."""

    def next(self, queue: Queue, most: int, most_cells: int | None = None) -> list[Claim]:
        """Return the slices whose turn it is, locked, past those that others have locked.

        Parameters
        ----------
        most_cells : int or None
            Those of larger boards are left out.
        """

    def lease(self, ids: Collection[str], holder: Holder, now: float) -> None:
        """Claim locked slices; the attempt is counted before it is made."""

    def renew(self, leases: Sequence[Lease], until: float) -> None:
        """Renew the leases that are still held."""

    def release(self, leases: Sequence[Lease], now: float) -> None:
        """Give back slices that were claimed and not started."""

    def wanted(self, ids: Collection[str], owner: str) -> set[str]:
        """Return which of these are still held, and serve a job that is unfinished."""

    def expired(self, now: float) -> list[Slice]:
        """Return slices whose lease ran out, at most 100."""

    def groups(self, solve_id: str, but: str | None = None) -> list[WorkGroup]:
        """Return the counts of a solve's slices that are not done, except for one."""

    def first_turn(self, but_of: str | None) -> float | None:
        """Return the first turn in the queue of long searches, except for a solve."""

    def some_ready(self, queue: Queue, most_cells: int | None = None) -> bool:
        """Whether anything waits in a queue, or any board of so few cells."""

    def ready(self, queue: Queue) -> int:
        """Count the slices that wait in a queue."""


class Lives(Protocol):
    """The state of solves, and the decisions about them."""

    def situation(self, solve: Solve, but: str | None = None) -> Situation:
        """Return where a locked solve stands, apart from one slice."""

    def apply(
        self,
        before: Solve,
        decision: Decision,
        now: float,
        *,
        others: float | None = None,
        holder: Holder | None = None,
    ) -> Applied:
        """Apply a decision, or nothing at all where the lease that it rests on is lost."""


class Proofs(Protocol):
    """What proves a lower bound: the done slices of search of the thresholds under it."""

    def proved(self, solve_id: str) -> Proved:
        """Return a solve's proved bound and what proves it."""

    def last_threshold(self, solve_id: str, epoch: int, below: int) -> int | None:
        """Return the last threshold under a bound that has stored done slices."""

    def page(
        self, solve_id: str, epoch: int, threshold: int, after: str, most: int
    ) -> list[ProofSlice]:
        """Return done slices of a threshold in the order of their ids, from after an id."""


class Workers(Protocol):
    """One row per worker process."""

    def seen(
        self,
        name: str,
        now: float,
        skew_s: float,
        version: str = "",
        ready_at: float | None = None,
    ) -> None:
        """Record a worker's presence, its version, and how far its host's clock is ahead."""

    def ready_at(self, since: float) -> float | None:
        """Return when the first of the workers seen since a time is likely to take work.

        None where one takes work already, and where there are none.
        """

    def leave(self, name: str) -> None:
        """Record that a worker has left."""

    def forget(self, before: float) -> None:
        """Delete workers that were last seen before a time."""

    def skews(self, since: float) -> list[float]:
        """Return how far the clocks of workers' hosts are ahead, of those seen since a time."""

    def versions(self, since: float) -> dict[str, int]:
        """Count the workers seen since a time by their version."""

    def look(self, solve_id: str, short: Collection[Queue], since: float) -> Farm:
        """Count the farm's work for a solve: workers seen since a time, short work in queues."""
