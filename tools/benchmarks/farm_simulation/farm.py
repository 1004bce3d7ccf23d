"""A discrete-event simulation of many workers on one solve.

The services' own rules decide: how long a slice is to be, who ends one early, into how many pieces
what remains is cut and how, what a check searches again. Simulated are time and the tree, whose
pieces end, are split and go on as real ones do (`tree`). How seconds vary from slice to slice is
drawn from recorded slices; what surrounds a slice takes what was measured.

What the farm does is told in ``core/services``: a ticket wakes an idle worker and a queue holds a
few; who has one claims a slice and goes on with what remains of it for some seconds, then sends
the next ticket; a running slice looks around and ends early where others have nothing; slices of
one solve are finished one after the other, under the lock of its row; of a threshold that was
searched one worker checks the record, and the solution is told when all are checked. Left out are
the slices that improve the upper bound, which are no part of the proof.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from tilework.core.model.workload import FarmState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.services.farm.lease_renewer import FIRST_TICK_S
from tilework.core.services.farm.searcher import LEAST_SEARCH_S, LONGEST
from tilework.core.services.farm.slice_worker import LONG_SEARCHES_S
from tilework.core.services.farm.splitting import max_parts, split_work
from tilework.core.services.farm.state_machine.proof_pace import SURE_GROWTH
from tilework.core.services.tickets import MOST_TICKETS
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit
from tilework.worker.tickets import MOST_WAITING
from tools.benchmarks.farm_simulation.plan import SEED, Check, Plan, Report, check_seconds
from tools.benchmarks.farm_simulation.tree import STEP

CHUNK_S = 0.1
"""A search looks up about so often whether it should end."""

MOST_ROUNDS = 100
"""Rounds of the reconciler a second beyond which more of them change nothing."""

NINE_IN_TEN = 0.9

BOARD = blank_first(Size(5, 5))
"""Of no account: the tree is drawn."""


Process = Generator[float | None, None, None]
"""What goes on in simulated time: it yields seconds to wait, or None to be woken by a ticket."""


@dataclass(eq=False)
class Worker:
    """Until when its ticket lasts, and what it knows of the farm, now and from earlier claims."""

    until: float = 0.0
    next_look: float = 0.0
    farm: FarmState | None = None
    before: FarmState = field(default_factory=FarmState)


class SimulatedFarm:
    """Runs one solve from its first slice to its solution."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._random = np.random.default_rng(SEED)
        self._now = 0.0
        self._events: list[tuple[float, int, Process]] = []
        self._order = count()
        self._ready: deque[WorkUnit | Check] = deque([plan.tree.root()])
        self._parts = 1
        self._idle: deque[Process] = deque()
        self._busy = 0
        self._tickets = 0
        self._lock_free = 0.0
        self._threshold = STEP
        self._least_over: int | None = None
        self._threshold_began = 0.0
        self._slices: list[tuple[int, float]] = []
        self._has_spread = False
        self._full_until = 0.0
        self._checks = 0
        self._solved = False
        self._report = Report()
        costs, trip = plan.costs, plan.round_trip
        self._claim_s = costs.claim + trip * costs.claim_statements
        self._locked_s = costs.locked + trip * costs.locked_statements
        self._finish_s = costs.finish + trip * costs.finish_statements - self._locked_s

    def run(self) -> Report:
        """Simulate until a solution is stored and all that led to it is checked."""
        for _ in range(self._plan.workers):
            self._go_on(self._work(Worker()))
        self._go_on(self._reconcile())
        while not self._solved or self._checks:
            self._now, _, process = heapq.heappop(self._events)
            self._go_on(process)
        self._report.makespan = self._now
        return self._report

    def _go_on(self, process: Process) -> None:
        wait = next(process)
        if wait is None:
            self._idle.append(process)
            self._send(0)
        else:
            self._at(self._now + wait, process)

    def _at(self, time: float, process: Process) -> None:
        heapq.heappush(self._events, (time, next(self._order), process))

    def _send(self, tickets: int) -> None:
        self._tickets += max(0, min(tickets, MOST_WAITING - self._tickets))
        while self._tickets and self._idle:
            self._tickets -= 1
            self._at(self._now + self._plan.costs.ticket, self._idle.popleft())

    def _reconcile(self) -> Process:
        # Each worker looks once a second or so: together they look that much more often.
        often = min(self._plan.workers, MOST_ROUNDS)
        while True:
            self._send(min(len(self._ready), MOST_TICKETS) - self._tickets)
            yield self._plan.settings.reconcile_s / often

    def _work(self, worker: Worker) -> Process:
        """Wait for tickets; claim and go on with what remains, as long as each lasts."""
        while True:
            yield None
            worker.until = self._now + LONG_SEARCHES_S
            while self._now < worker.until:
                end = self._now + self._claim_s
                if self._plan.costs.one_writer and self._ready:
                    end = self._lock_free = max(self._now, self._lock_free) + self._claim_s
                yield end - self._now
                if not self._ready:
                    break
                worker.farm, worker.next_look = None, self._now + FIRST_TICK_S
                work: WorkUnit | Check | None = self._ready.popleft()
                self._busy += 1
                self._note_spread()
                while work is not None:
                    if isinstance(work, Check):
                        yield work.seconds
                        self._busy -= 1
                        self._checks -= 1
                        work = None
                    else:
                        work = yield from self._search(worker, work)
                if self._solved and not self._ready:
                    break
            else:
                self._send(1)

    def _search(
        self, worker: Worker, piece: WorkUnit
    ) -> Generator[float | None, None, WorkUnit | Check | None]:
        """Search a slice and store it; return what the worker goes on with."""
        plan, began = self._plan, self._now
        aim = (worker.farm or worker.before).slice_s(plan.settings)
        outcome = self._searched(piece, plan.nodes_per_s * aim)
        whole = outcome.nodes / plan.nodes_per_s * float(self._random.choice(plan.paces))
        end = began + min(whole, LONGEST * aim)
        while self._now < end:
            yield max(0.0, min(end, worker.next_look) - self._now)
            if worker.next_look <= self._now < end:
                worker.farm = worker.before = farm = self._farm()
                if self._random.random() < farm.chance_to_share():
                    early = self._now + self._random.random() * CHUNK_S
                    end = min(end, max(early, began + LEAST_SEARCH_S))
                worker.next_look = self._now + farm.check_interval_s()
        if self._solved:  # nobody wants it any more
            self._busy -= 1
            return None
        seconds = self._now - began
        if seconds < whole:
            outcome = self._searched(piece, seconds / whole * outcome.nodes)
        farm = worker.farm or self._farm()
        short = farm.missing_pieces(plan.settings.spare_slices)
        # What remains is cut as `Searcher` does.
        left = sum(rest.share for rest in outcome.remaining)
        done = piece.share - left
        expected = seconds * left / done if done > 0 else math.inf
        pieces = self._cut(outcome.remaining, min(1 + short, max_parts(expected, farm.workers)))
        goes_on = self._now < worker.until
        stored = self._now + self._finish_s
        begins = max(stored, self._lock_free)
        self._lock_free = begins + self._locked_s
        self._report.waited += begins - stored
        self._report.locked += self._locked_s
        yield self._lock_free - self._now
        return self._stored(outcome, seconds, pieces, short, goes_on)

    def _farm(self) -> FarmState:
        ready, busy = len(self._ready), self._busy
        return FarmState(self._plan.workers, busy, ready, own=ready, clients=1, held=busy)

    def _searched(self, piece: WorkUnit, nodes: float) -> SliceOutcome:
        return self._plan.tree.search(self._threshold, piece.cursor, max(1, round(nodes)))

    def _cut(self, pieces: tuple[WorkUnit, ...], most: int) -> tuple[WorkUnit, ...]:
        return split_work(self._plan.tree.split, BOARD, pieces, most)

    # What a commit changes.

    def _stored(
        self,
        outcome: SliceOutcome,
        seconds: float,
        pieces: tuple[WorkUnit, ...],
        short: int,
        goes_on: bool,
    ) -> WorkUnit | Check | None:
        if self._is_full():
            self._full_until = self._now
        self._busy -= 1
        self._report.slices += 1
        self._report.useful += seconds
        self._slices.append((outcome.nodes, seconds))
        self._parts += len(pieces) - 1
        if outcome.moves is not None:  # only checks are left to do
            self._solved = True
            self._report.searched = self._now
            self._ready = deque(one for one in self._ready if isinstance(one, Check))
            return None
        found = [f for f in (self._least_over, outcome.next_threshold) if f is not None]
        self._least_over = min(found, default=None)
        fresh: deque[WorkUnit | Check] = deque(pieces)
        if not self._parts:
            fresh = self._risen(short)
        onward = fresh.popleft() if fresh and goes_on else None
        self._busy += onward is not None
        self._ready.extend(fresh)
        self._send(len(fresh))
        return onward

    def _risen(self, short: int) -> deque[WorkUnit | Check]:
        """Begin the next threshold, after the check of the one that was searched."""
        assert self._least_over is not None
        self._threshold, self._least_over = self._least_over, None
        if self._has_spread:
            self._report.tails.append(self._now - self._full_until)
        searched, self._slices = self._slices, []
        expected = SURE_GROWTH * sum(seconds for _, seconds in searched)
        self._threshold_began, self._has_spread = self._now, False
        self._checks += 1
        pieces = self._cut((self._plan.tree.root(),), min(1 + short, max_parts(expected)))
        self._parts = len(pieces)
        return deque((Check(check_seconds(searched)), *pieces))

    def _is_full(self) -> bool:
        return self._busy >= NINE_IN_TEN * self._plan.workers

    def _note_spread(self) -> None:
        if not self._has_spread and self._is_full():
            self._has_spread = True
            self._report.spreads.append(self._now - self._threshold_began)
