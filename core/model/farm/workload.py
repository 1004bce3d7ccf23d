"""The workload of the farm, and how slices of search adapt to it.

A search slice is a part of a tree, and every part can be split. The aim is to split as little as
possible while all workers are busy. A few parts are kept in reserve, and a slice ends early to
share its work if a worker is idle.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tilework.core.settings import Settings

# Seconds of a slice per worker. With more workers, each commits less often, which limits the
# commits per solve.
SLICE_S_PER_WORKER = 0.02

# Seconds between two checks of the farm's state during a slice: the minimum, and the time per
# worker, which limits the load on the database.
CHECK_S = 0.2
CHECK_S_PER_WORKER = 0.004

# Parts kept in reserve: at least this many, and with many workers, one for this many of them.
SPARE_PARTS = 4
WORKERS_PER_SPARE = 8

# The interval of a worker's heartbeats, and the time after which it counts as absent (seconds).
HEARTBEAT_INTERVAL_S = 3.0
WORKER_TIMEOUT_S = 10.0

# The memory of a trial on a large board.
TRIAL_MEMORY_BYTES = 500_000_000

# The initial search of boards of this many cells takes tens of milliseconds; that of larger ones
# takes a second or more.
SMALL_CELLS = 16

# Boards of this many cells take about a millisecond.
TINY_CELLS = 12

# How many tiny boards count as much as a small board, so that some work is left for others.
SMALL_WEIGHT = 4

# How long a worker claims work for one ticket (seconds).
RUN_S = 1.0

# How many small boards are claimed together.
CLAIM_SIZE = 16

# How long a slice should take with hundreds of workers (seconds).
LONGEST_SLICE_S = 5.0

# Maximum time that jobs wait for workers to compile, before their time limit starts.
MAX_PREPARATION_S = 300.0


def claim_weight(cells: int) -> int:
    """Return how much a board of this many cells adds to a claim of at most `CLAIM_SIZE`."""
    if cells <= TINY_CELLS:
        return 1
    return SMALL_WEIGHT if cells <= SMALL_CELLS else CLAIM_SIZE


@dataclass(frozen=True)
class WorkReport:
    """The number of slices or tasks done, and whether more may wait, which needs a new ticket."""

    done: int
    has_more: bool


@dataclass(frozen=True, slots=True)
class FarmState:
    """The state of the farm, seen from one solve.

    ``workers``: with a recent heartbeat; 0 if none has reported.
    ``busy``: workers that hold a lease, including those of lab runs.
    ``ready``, ``own_ready``: waiting slices in the queue of long searches, and those of this solve.
    ``clients``: clients with long searches under way.
    ``held``: slices of long searches under way for this solve's client.
    ``short_work``: slices that wait in the queues of short work.
    ``rivals``: clients whose long searches wait or are under way.
    """

    workers: int = 0
    busy: int = 0
    ready: int = 0
    own_ready: int = 0
    clients: int = 0
    held: int = 0
    short_work: int = 0
    rivals: int = 0

    @property
    def idle(self) -> int:
        """The number of workers that have nothing to do."""
        return max(0, self.workers - self.busy)

    @property
    def starving(self) -> int:
        """The number of idle workers without any waiting work."""
        return max(0, self.idle - self.ready)

    def fair_workers(self) -> float:
        """Return how many workers this solve's client gets if all clients get the same."""
        return self.workers / max(1, self.rivals) if self.workers else 1.0

    def pace(self) -> float:
        """Return the fraction of a worker that each running trial of this solve gets."""
        if not self.workers:
            return 1.0
        return min(1.0, self.fair_workers() / max(1, self.held + self.own_ready))

    def slice_s(self, settings: Settings) -> float:
        """Return how long a slice should take, in seconds."""
        grown = SLICE_S_PER_WORKER * self.workers
        return max(settings.search_slice_s, min(grown, LONGEST_SLICE_S))

    def check_interval_s(self) -> float:
        """Return the seconds until a running slice checks the farm's state again.

        Only busy workers check. At the ends of a threshold few are busy, and the idle ones wait
        for them.
        """
        return max(CHECK_S, CHECK_S_PER_WORKER * self.busy)

    def missing_parts(self) -> int:
        """Return how many parts one ending slice of this solve should add to the reserve.

        The client's running slices share the shortage, which is the largest of three: of idle
        workers, of the client's share of the farm, and of workers about to finish.
        """
        if self.workers == 1:
            return 0
        shortage = max(
            self.starving,
            max(SPARE_PARTS, self.workers // WORKERS_PER_SPARE) - self.ready,
            self.workers // max(1, self.clients) - self.held - self.own_ready,
        )
        return math.ceil(max(0, shortage) / max(1, self.held))

    def chance_to_share(self) -> float:
        """Return the probability that a running slice ends early to share its remainder.

        All slices see the same need at about the same time. On average, twice as many end as are
        needed.
        """
        return min(1.0, 2 * self.starving / max(1, self.busy))

    def chance_to_yield(self) -> float:
        """Return the probability that a running slice ends early for short work."""
        if self.idle or not self.short_work:
            return 0.0
        return min(1.0, 2 * self.short_work / max(1, self.busy))


# A unit expected to take less time than this is not worth a claim and a commit (seconds).
MIN_UNIT_S = 0.1

# Minimum time of a unit per worker, which limits the commits per solve (seconds).
UNIT_S_PER_WORKER = 0.002


def max_parts(seconds: float, workers: int = 0) -> int:
    """Return the maximum number of units for work of this many seconds."""
    min_seconds = max(MIN_UNIT_S, UNIT_S_PER_WORKER * workers)
    return 1 + int(min(seconds / min_seconds, 1e6))


# The minimum cost of a slice (seconds), because claiming and ending it takes time as well.
MIN_COST_S = 0.01


def start_priorities(
    own_priority: float,
    others: float | None,
    charge: Callable[[float, float], float],
    *,
    cost_s: float,
    count: int,
    wait_s: float | None = None,
) -> list[float]:
    """Return priorities for new slices of one solve.

    ``own_priority``: the priority of the slice that they come from.
    ``others``: the first priority among the waiting slices of other solves; None if there are none.
    ``charge``: advances the clock of the paying client by an amount, and returns its previous time
        or a given minimum.
    ``cost_s``: expected seconds of each slice.
    ``wait_s``: seconds of the client's other work that come first; None to be next.

    Notes
    -----
    Start-time fair queueing (Goyal, Vin, Cheng, 1997): clients, not jobs or slices, share the farm.
    Adding work to the queue advances the client's clock by the cost of that work, and later work
    waits until the clocks of other clients have caught up. The clock of a returning client is set
    to that of the queue, so that idle time is not saved up.
    """
    cost_s = max(cost_s, MIN_COST_S)
    if others is None:
        first = own_priority + (cost_s if wait_s is None else max(wait_s, MIN_COST_S))
    else:
        first = charge(others, cost_s * count)
        # The client's other work begins after this cost.
        first += 0.0 if wait_s is None else cost_s * count + wait_s
    return [first + cost_s * index for index in range(count)]
