"""A discrete-event simulation of many workers on one solve.

The services' own rules decide: how long a slice is to be, who ends one early, into how many pieces
what remains is cut and how, what a check searches again. Simulated are time and the tree, whose
pieces end, are split and go on as real ones do (`tree`), unless the plan names a real one. How
seconds vary from slice to slice is drawn from recorded slices; what surrounds a slice takes what
was measured.

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
from collections.abc import Callable
from functools import partial
from itertools import count

import numpy as np

from benchmarks.simulation.checks import Check, check_seconds
from benchmarks.simulation.plan import Plan, Report
from benchmarks.simulation.slot import Slot
from tilework.core.model.workload import Farm
from tilework.core.services.farm.cutting import cut, worth
from tilework.core.services.farm.keeper import FIRST_TICK_S
from tilework.core.services.farm.life.proof_pace import SURE_GROWTH
from tilework.core.services.farm.searcher import LEAST_SEARCH_S, LONGEST
from tilework.core.services.farm.work import LONG_SEARCHES_S
from tilework.core.services.tickets import MOST_TICKETS
from tilework.core.solver.work_unit import Piece, SliceOutcome
from tilework.worker.tickets import MOST_WAITING

SEED = 512

CHUNK_S = 0.1
"""A search looks up about so often whether it should end."""

MOST_ROUNDS = 100
"""Rounds of the reconciler a second beyond which more of them change nothing."""

NINE_IN_TEN = 0.9


class SimulatedFarm:
    """Runs one solve from its first slice to its solution."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._random = np.random.default_rng(SEED)
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self._order = count()
        self._ready: deque[Piece | Check] = deque([plan.tree.root()])
        self._parts = 1
        self._idle = deque(Slot() for _ in range(plan.workers))
        self._busy = 0
        self._tickets = 0
        self._lock_free = 0.0
        self._threshold = plan.tree.first_threshold(plan.board, plan.goal)
        self._least_over: int | None = None
        self._threshold_began = 0.0
        self._slices: list[tuple[int, float]] = []
        self._has_spread = False
        self._full_until = 0.0
        self._checks = 0
        self._solved = False
        self._over = False
        self._report = Report()
        costs, trip = plan.costs, plan.round_trip
        self._claim_s = costs.claim + trip * costs.claim_statements
        self._locked_s = costs.locked + trip * costs.locked_statements
        self._finish_s = costs.finish + trip * costs.finish_statements - self._locked_s

    def run(self) -> Report:
        """Simulate until a solution is stored."""
        self._reconcile(0.0)
        while not self._over:
            now, _, happen = heapq.heappop(self._events)
            happen(now)
        return self._report

    def _at(self, time: float, happen: Callable[[float], None]) -> None:
        heapq.heappush(self._events, (time, next(self._order), happen))

    # Tickets.

    def _send(self, tickets: int, now: float) -> None:
        self._tickets += max(0, min(tickets, MOST_WAITING - self._tickets))
        while self._tickets and self._idle:
            self._tickets -= 1
            slot = self._idle.popleft()
            self._at(now + self._plan.costs.ticket, partial(self._woken, slot))

    def _reconcile(self, now: float) -> None:
        # Each worker looks once a second or so: together they look that much more often.
        self._send(min(len(self._ready), MOST_TICKETS) - self._tickets, now)
        often = min(self._plan.workers, MOST_ROUNDS)
        self._at(now + self._plan.settings.reconcile_s / often, self._reconcile)

    def _woken(self, slot: Slot, now: float) -> None:
        slot.until = now + LONG_SEARCHES_S
        self._claim(slot, now)

    def _rest(self, slot: Slot, now: float) -> None:
        self._idle.append(slot)
        self._send(0, now)

    # Claims and looks.

    def _claim(self, slot: Slot, now: float) -> None:
        slot.farm = None
        end = now + self._claim_s
        if self._plan.costs.one_writer and self._ready:
            end = self._lock_free = max(now, self._lock_free) + self._claim_s
        self._at(end, partial(self._claimed, slot))

    def _claimed(self, slot: Slot, now: float) -> None:
        if not self._ready:
            self._rest(slot, now)
            return
        self._busy += 1
        self._note_spread(now)
        slot.keeper += 1
        self._start(slot, self._ready.popleft(), now)
        self._at(now + FIRST_TICK_S, partial(self._look, slot, slot.keeper))

    def _start(self, slot: Slot, work: Piece | Check, now: float) -> None:
        if isinstance(work, Check):
            self._at(now + work.seconds, partial(self._checked, slot))
        else:
            self._begin(slot, work, now)

    def _look(self, slot: Slot, keeper: int, now: float) -> None:
        if slot.piece is None or slot.keeper != keeper:
            return  # another claim, another keeper
        slot.farm = slot.before = farm = self._farm()
        if self._random.random() < farm.chance_to_share():
            early = max(now + self._random.random() * CHUNK_S, slot.began + LEAST_SEARCH_S)
            if early < slot.began + slot.seconds:
                self._at(early, partial(self._cut_short, slot, slot.run))
        self._at(now + farm.look_s(), partial(self._look, slot, keeper))

    def _farm(self) -> Farm:
        ready, busy = len(self._ready), self._busy
        return Farm(self._plan.workers, busy, ready, own=ready, clients=1, held=busy)

    # Search.

    def _begin(self, slot: Slot, piece: Piece, now: float) -> None:
        aim = (slot.farm or slot.before).slice_s(self._plan.settings)
        slot.piece, slot.began, slot.run = piece, now, slot.run + 1
        slot.outcome = self._searched(piece, self._plan.nodes_per_s * aim)
        pace = float(self._random.choice(self._plan.paces))
        slot.seconds = slot.outcome.nodes / self._plan.nodes_per_s * pace
        if slot.seconds <= LONGEST * aim:
            self._at(now + slot.seconds, partial(self._end, slot, slot.run))
        else:
            self._at(now + LONGEST * aim, partial(self._cut_short, slot, slot.run))

    def _searched(self, piece: Piece, nodes: float) -> SliceOutcome:
        plan = self._plan
        return plan.tree.search(
            plan.board,
            plan.goal,
            self._threshold,
            piece.cursor,
            nodes=max(1, round(nodes)),
            cancelled=lambda: False,
        )

    def _cut_short(self, slot: Slot, run: int, now: float) -> None:
        if slot.run != run or slot.outcome is None or slot.piece is None:
            return
        done = (now - slot.began) / slot.seconds
        slot.outcome = self._searched(slot.piece, done * slot.outcome.nodes)
        slot.seconds = now - slot.began
        self._end(slot, run, now)

    def _end(self, slot: Slot, run: int, now: float) -> None:
        if slot.run != run or slot.outcome is None:
            return
        if self._solved:  # nobody wants it any more
            slot.piece = slot.outcome = None
            self._busy -= 1
            self._rest(slot, now)
            return
        slot.run += 1
        farm = slot.farm or self._farm()
        short = farm.pieces_short(self._plan.settings.spare_slices)
        pieces = self._shared(slot, short, farm.workers)
        stored = self._locked(now + self._finish_s)
        self._at(stored, partial(self._stored, slot, pieces, short, now < slot.until))

    def _shared(self, slot: Slot, short: int, workers: int) -> tuple[Piece, ...]:
        """Cut what remains as `Searcher` does."""
        assert slot.outcome is not None
        assert slot.piece is not None
        remaining = slot.outcome.remaining
        left = sum(rest.share for rest in remaining)
        done = slot.piece.share - left
        seconds = slot.seconds * left / done if done > 0 else math.inf
        return self._cut(remaining, min(1 + short, worth(seconds, workers)))

    def _cut(self, pieces: tuple[Piece, ...], most: int) -> tuple[Piece, ...]:
        return cut(self._plan.tree.split, self._plan.board, pieces, most)

    def _locked(self, now: float) -> float:
        """Wait for the solve's row and write to it; return when."""
        begins = max(now, self._lock_free)
        self._lock_free = begins + self._locked_s
        self._report.waited += begins - now
        self._report.locked += self._locked_s
        return self._lock_free

    # What a commit changes.

    def _stored(
        self, slot: Slot, pieces: tuple[Piece, ...], short: int, goes_on: bool, now: float
    ) -> None:
        outcome, report = slot.outcome, self._report
        assert outcome is not None
        slot.piece = slot.outcome = None
        if self._busy >= NINE_IN_TEN * self._plan.workers:
            self._full_until = now
        self._busy -= 1
        report.slices += 1
        report.nodes += outcome.nodes
        report.useful += slot.seconds
        self._slices.append((outcome.nodes, slot.seconds))
        self._parts += len(pieces) - 1
        if outcome.moves is not None:
            self._solve(now)
            self._rest(slot, now)
            return
        found = [f for f in (self._least_over, outcome.next_threshold) if f is not None]
        self._least_over = min(found, default=None)
        fresh: deque[Piece | Check] = deque(pieces)
        if not self._parts:
            fresh = self._risen(short, now)
        onward = fresh.popleft() if fresh and goes_on else None
        self._ready.extend(fresh)
        if onward:
            self._busy += 1
            self._start(slot, onward, now)
        else:
            self._go_on(slot, now)
        if fresh:
            self._send(len(fresh), now)

    def _go_on(self, slot: Slot, now: float) -> None:
        if now < slot.until:
            self._claim(slot, now)
        else:
            self._rest(slot, now)
            self._send(1, now)

    def _risen(self, short: int, now: float) -> deque[Piece | Check]:
        """Begin the next threshold, after the check of the one that was searched."""
        assert self._least_over is not None
        self._threshold, self._least_over = self._least_over, None
        if self._has_spread:
            self._report.tails.append(now - self._full_until)
        searched, self._slices = self._slices, []
        expected = SURE_GROWTH * sum(seconds for _, seconds in searched)
        self._threshold_began, self._has_spread = now, False
        self._checks += 1
        pieces = self._cut((self._plan.tree.root(),), min(1 + short, worth(expected)))
        self._parts = len(pieces)
        return deque((Check(check_seconds(searched, SEED)), *pieces))

    def _checked(self, slot: Slot, now: float) -> None:
        self._busy -= 1
        self._checks -= 1
        self._end_if_proved(now)
        self._go_on(slot, now)

    def _solve(self, now: float) -> None:
        """Store a solution: only checks are left to do."""
        self._solved = True
        self._report.searched = now
        self._ready = deque(one for one in self._ready if isinstance(one, Check))
        self._end_if_proved(now)

    def _end_if_proved(self, now: float) -> None:
        if self._solved and not self._checks:
            self._over = True
            self._report.makespan = now

    def _note_spread(self, now: float) -> None:
        if not self._has_spread and self._busy >= NINE_IN_TEN * self._plan.workers:
            self._has_spread = True
            self._report.spreads.append(now - self._threshold_began)
