"""The storage's side of the bargain where work is given out: slices, lives, proofs and workers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from core.services.farm.life.effects import Applied, Decision
from core.services.farm.life.situation import Situation, WorkGroup
from core.services.farm.records import Claim, ProofSlice, Proved, Slice, Solve
from core.services.farm.workload import Farm
from core.services.leases import Holder, Lease
from core.services.states import Queue


class Slices(Protocol):
    """One row a piece of work. How it ends is a decision that `Lives` applies."""

    def next(self, queue: Queue, most: int) -> list[Claim]:
        """Return the slices whose turn it is, locked, past those that others have locked."""

    def lease(self, ids: Collection[str], holder: Holder, now: float) -> None:
        """Claim locked slices; the attempt is counted before it is made."""

    def renew(self, leases: Sequence[Lease], until: float) -> None:
        """Make leases last longer, those that are still held."""

    def release(self, leases: Sequence[Lease], now: float) -> None:
        """Give back slices that were claimed and not begun."""

    def wanted(self, ids: Collection[str], owner: str) -> set[str]:
        """Return which of these are still held, and serve a job that is unfinished."""

    def expired(self, now: float) -> list[Slice]:
        """Return slices whose lease ran out, at most 100."""

    def groups(self, solve_id: str, but: str | None = None) -> list[WorkGroup]:
        """Return the slices of a solve that are not done, counted, but for one."""

    def first_turn(self, but_of: str | None) -> float | None:
        """Return the first turn in the queue of long searches, but of a solve; None for nobody."""

    def some_ready(self, queue: Queue) -> bool:
        """Whether anything waits in a queue."""

    def ready(self, queue: Queue) -> int:
        """Count the slices that wait in a queue."""


class Lives(Protocol):
    """Where solves stand, and what was decided of them."""

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
        """Return what is proved of a solve, and in which epoch."""

    def last_threshold(self, solve_id: str, epoch: int, below: int) -> int | None:
        """Return the last threshold under a bound of which done slices are kept."""

    def page(
        self, solve_id: str, epoch: int, threshold: int, after: str, most: int
    ) -> list[ProofSlice]:
        """Return done slices of a threshold in the order of their ids, from after an id."""


class Workers(Protocol):
    """One row a worker process."""

    def seen(self, name: str, now: float, skew_s: float) -> None:
        """Note that a worker is there, and how far its host's clock is ahead."""

    def leave(self, name: str) -> None:
        """Note that a worker is there no more."""

    def forget(self, before: float) -> None:
        """Delete workers that were last seen before a time."""

    def skews(self, since: float) -> list[float]:
        """Return how far the clocks of workers' hosts are ahead, of those seen since a time."""

    def look(self, solve_id: str, short: Collection[Queue], since: float) -> Farm:
        """Count what goes on, for a solve: workers seen since a time, short work in some queues."""
