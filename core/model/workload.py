"""How much work is waiting for the farm's workers, and what that means for a slice of search.

A slice of search is any piece of a tree, and any piece can be split. The aim is to split as little
as possible while keeping all workers busy: pieces are kept in reserve when too few wait, and a
slice under way ends early to share its work when a worker is idle.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tilework.core.settings import Settings

# Seconds of slice for each worker: with more of them, each commits less often, so that all of one
# solve's commits fit one after the other.
SLICE_S_PER_WORKER = 0.02

# Seconds between two looks of a slice under way at the farm: at least, and for each worker that
# looks, so that all of them ask the database no more than some hundred times a second.
CHECK_S = 0.2
CHECK_S_PER_WORKER = 0.004

# One waiting piece is kept in reserve for this many workers.
WORKERS_PER_SPARE = 8

# A worker reports its presence this often, and counts as present for this long (seconds).
HEARTBEAT_INTERVAL_S = 3.0
WORKER_TIMEOUT_S = 10.0

# How long jobs wait at most for workers that compile their kernels, before their time begins.
MAX_PREPARATION_S = 300.0


@dataclass(frozen=True)
class WorkReport:
    """Pieces of work done, and whether there may be more, which needs a new ticket."""

    done: int
    more: bool


@dataclass(frozen=True, slots=True)
class FarmState:
    """The farm's state, seen from one solve.

    ``workers``: seen in the last seconds; 0 where none has reported.
    ``busy``: workers that hold a lease, also of a run of the lab.
    ``ready``, ``own``: slices that wait in the queue of long searches, and those of this solve
        among them.
    ``clients``: whose long searches are under way.
    ``held``: slices of long searches under way for this solve's client.
    ``pressing``: slices that wait in the queues of short work.
    ``rivals``: clients whose long searches wait or are under way.
    """

    workers: int = 0
    busy: int = 0
    ready: int = 0
    own: int = 0
    clients: int = 0
    held: int = 0
    short_work: int = 0
    rivals: int = 0

    @property
    def idle(self) -> int:
        """Workers that have nothing to do."""
        return max(0, self.workers - self.busy)

    @property
    def starving(self) -> int:
        """Workers for which nothing waits either."""
        return max(0, self.idle - self.ready)

    def pace(self) -> float:
        """Return which part of a worker each try under way of this solve gets."""
        if not self.workers:
            return 1.0
        share = self.workers / max(1, self.rivals)
        return min(1.0, share / max(1, self.held + self.own))

    def slice_s(self, settings: Settings) -> float:
        """Return how long a slice should take, in seconds."""
        grown = SLICE_S_PER_WORKER * self.workers
        return max(settings.search_slice_s, min(grown, settings.search_slice_most_s))

    def check_interval_s(self) -> float:
        """Return how long a slice under way waits until its next look, in seconds.

        Only who is at work looks: while few are, at the ends of a threshold, the idle ones wait
        for them to look and to share.
        """
        return max(CHECK_S, CHECK_S_PER_WORKER * self.busy)

    def missing_pieces(self, spare: int) -> int:
        """Return how many pieces one ending slice of this solve should add to the reserve.

        The client's slices under way share the shortage: of idle workers, of the client's part of
        the farm, and of workers about to end.
        """
        if self.workers == 1:
            return 0
        needed = max(
            self.starving,
            max(spare, self.workers // WORKERS_PER_SPARE) - self.ready,
            self.workers // max(1, self.clients) - self.held - self.own,
        )
        return math.ceil(max(0, needed) / max(1, self.held))

    def chance_to_share(self) -> float:
        """Return the chance with which a slice under way should end early, to share its rest.

        All see the same need at about the same time: together they meet it twice over.
        """
        return min(1.0, 2 * self.starving / max(1, self.busy))

    def chance_to_yield(self) -> float:
        """Return the chance with which a slice under way should end early for short work."""
        if self.idle or not self.short_work:
            return 0.0
        return min(1.0, 2 * self.short_work / max(1, self.busy))


# What a piece of work costs at least (seconds): its claim and its end are work as well.
MIN_COST_S = 0.01


def start_priorities(
    own: float,
    others: float | None,
    charge: Callable[[float, float], float],
    *,
    cost_s: float,
    count: int,
) -> list[float]:
    """Return turns for new slices of one solve.

    ``own``: the turn of the slice that they come from.
    ``others``: the first turn of those that wait for other solves; None for nobody.
    ``charge``: moves the clock of the client who pays on by an amount, and returns where it stood,
        at least at a given turn.
    ``cost_s``: seconds that each is expected to take.

    Notes
    -----
    Fair queueing by start times (Goyal, Vin, Cheng, "Start-time fair queueing", 1997): clients
    share the farm, not jobs or slices. Whoever puts work into the queue moves his own clock on by
    what it costs, and his next work waits until the others' clocks have come as far. The clock of a
    client who was away is set forward to the queue's: idle time is not saved up.
    """
    cost_s = max(cost_s, MIN_COST_S)
    first = own + cost_s if others is None else charge(others, cost_s * count)
    return [first + cost_s * place for place in range(count)]
