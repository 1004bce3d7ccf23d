"""A discrete-event simulation of many workers on one solve.

The tree is no model: every slice is really searched, by the engine, on a real board, and cursors
are really cut, by the rules that the workers use. Only time is simulated. A worker is made so slow
that the board keeps a large farm busy as long as a far harder one would keep real workers: the
shape of the work, its thresholds, tails and uneven parts are those of the board; how seconds vary
from slice to slice is drawn from recorded slices; what surrounds a slice takes what was measured.

What the farm does is told in ``core/services``: a ticket wakes an idle worker and a queue holds a
few; who has one claims a slice and goes on with what remains of it for some seconds, then sends
the next ticket; a running slice looks around and ends early where others have nothing; slices of
one solve are finished one after the other, under the lock of its row. Left out are the slices that
improve the upper bound, which are no part of the proof.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import count

import numpy as np

from benchmarks.farm_plan import Plan, Report
from tilework.core.puzzle.board import Board
from tilework.core.services.farm.cutting import cut, worth
from tilework.core.services.farm.keeper import FIRST_TICK_S, SEARCH_TICK_S, TICK_S_A_WORKER
from tilework.core.services.farm.life.searching import SURE_GROWTH
from tilework.core.services.farm.searcher import LEAST_SEARCH_S
from tilework.core.services.farm.work import LONG_SEARCHES_S
from tilework.core.services.farm.workload import Farm
from tilework.core.services.tickets import MOST_TICKETS
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.slice import first_threshold, search_slice
from tilework.core.solver.piece import Piece, SliceOutcome
from tilework.worker.tickets import MOST_WAITING

SEED = 512

CHUNK_S = 0.1
"""A search looks up about so often whether it should end."""

ROOT = Piece(Cursor.root().to_bytes(), 1.0)


@dataclass(eq=False)
class _Slot:
    """A worker: until when its ticket lasts, what it knows of the farm, what it searches."""

    until: float = 0.0
    farm: Farm | None = None
    piece: Piece | None = None
    began: float = 0.0
    seconds: float = 0.0
    outcome: SliceOutcome | None = None
    run: int = 0


class SimulatedFarm:
    """Runs one solve from its first slice to its solution."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._random = np.random.default_rng(SEED)
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self._order = count()
        self._ready: deque[Piece] = deque()
        self._idle = deque(_Slot() for _ in range(plan.workers))
        self._busy = 0
        self._tickets = 0
        self._lock_free = 0.0
        self._threshold = first_threshold(plan.board, plan.goal, plan.pdb_folder)
        self._least_over: int | None = None
        self._threshold_began = 0.0
        self._threshold_seconds = 0.0
        self._has_spread = False
        self._report = Report()
        self._over = False
        costs, trip = plan.costs, plan.round_trip
        self._claim_s = costs.claim + trip * costs.claim_statements
        self._locked_s = costs.locked + trip * costs.locked_statements
        self._finish_s = costs.finish + trip * costs.finish_statements - self._locked_s

    def run(self) -> Report:
        """Simulate until a solution is stored."""
        self._ready.append(ROOT)
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
        self._at(now + self._plan.settings.reconcile_s / self._plan.workers, self._reconcile)

    def _woken(self, slot: _Slot, now: float) -> None:
        slot.until = now + LONG_SEARCHES_S
        self._claim(slot, now)

    def _rest(self, slot: _Slot, now: float) -> None:
        self._idle.append(slot)
        self._send(0, now)

    # Claims and looks.

    def _claim(self, slot: _Slot, now: float) -> None:
        slot.farm = None
        end = now + self._claim_s
        if self._plan.costs.one_writer and self._ready:
            end = self._lock_free = max(now, self._lock_free) + self._claim_s
        self._at(end, partial(self._claimed, slot))

    def _claimed(self, slot: _Slot, now: float) -> None:
        if not self._ready:
            self._rest(slot, now)
            return
        self._busy += 1
        self._note_spread(now)
        self._begin(slot, self._ready.popleft(), now)
        self._at(now + FIRST_TICK_S, partial(self._look, slot, slot.until))

    def _look(self, slot: _Slot, ticket: float, now: float) -> None:
        if slot.piece is None or slot.until != ticket:
            return  # another ticket, another keeper
        slot.farm = farm = self._farm()
        if self._random.random() < farm.chance_to_share():
            early = max(now + self._random.random() * CHUNK_S, slot.began + LEAST_SEARCH_S)
            if early < slot.began + slot.seconds:
                self._at(early, partial(self._cut_short, slot, slot.run))
        pause = max(SEARCH_TICK_S, TICK_S_A_WORKER * farm.workers)
        self._at(now + pause, partial(self._look, slot, ticket))

    def _farm(self) -> Farm:
        ready, busy = len(self._ready), self._busy
        return Farm(self._plan.workers, busy, ready, own=ready, clients=1, held=busy)

    # Search.

    def _begin(self, slot: _Slot, piece: Piece, now: float) -> None:
        aim = (slot.farm or Farm()).slice_s(self._plan.settings)
        slot.piece, slot.began, slot.run = piece, now, slot.run + 1
        slot.outcome = self._searched(piece, self._plan.nodes_per_s * aim)
        pace = self._plan.paces[self._random.integers(len(self._plan.paces))]
        slot.seconds = slot.outcome.nodes / self._plan.nodes_per_s * pace
        self._at(now + slot.seconds, partial(self._end, slot, slot.run))

    def _searched(self, piece: Piece, nodes: float) -> SliceOutcome:
        plan = self._plan
        cursor = Cursor.from_bytes(piece.cursor)
        budget = max(1, round(nodes))
        return search_slice(
            plan.board, plan.goal, self._threshold, cursor, budget, pdb_folder=plan.pdb_folder
        )

    def _cut_short(self, slot: _Slot, run: int, now: float) -> None:
        if slot.run != run or slot.outcome is None or slot.piece is None:
            return
        done = (now - slot.began) / slot.seconds
        slot.outcome = self._searched(slot.piece, done * slot.outcome.nodes)
        slot.seconds = now - slot.began
        self._end(slot, run, now)

    def _end(self, slot: _Slot, run: int, now: float) -> None:
        if slot.run != run or slot.outcome is None:
            return
        slot.run += 1
        short = (slot.farm or self._farm()).pieces_short(self._plan.settings.spare_slices)
        pieces = self._shared(slot, short)
        lock = max(now + self._finish_s, self._lock_free)
        self._lock_free = lock + self._locked_s
        goes_on = now < slot.until
        self._at(self._lock_free, partial(self._stored, slot, pieces, short, goes_on))

    def _shared(self, slot: _Slot, short: int) -> tuple[Piece, ...]:
        """Cut what remains as a worker does."""
        assert slot.outcome is not None
        assert slot.piece is not None
        board, remaining = self._plan.board, slot.outcome.remaining
        left = sum(rest.share for rest in remaining)
        done = slot.piece.share - left
        seconds = slot.seconds * left / done if done > 0 else math.inf
        return cut(_split, board, remaining, min(1 + short, worth(seconds)))

    # What a commit changes.

    def _stored(
        self, slot: _Slot, pieces: tuple[Piece, ...], short: int, goes_on: bool, now: float
    ) -> None:
        outcome, report = slot.outcome, self._report
        assert outcome is not None
        slot.piece = slot.outcome = None
        report.slices += 1
        report.nodes += outcome.nodes
        report.useful += slot.seconds
        report.locked += self._locked_s
        report.makespan = now
        self._busy -= 1
        self._threshold_seconds += slot.seconds
        if outcome.moves is not None:
            self._over = True
            return
        found = [f for f in (self._least_over, outcome.next_threshold) if f is not None]
        self._least_over = min(found, default=None)
        if not pieces and not self._ready and not self._busy:
            pieces = self._risen(short, now)
        onward = pieces[0] if pieces and goes_on else None
        self._ready.extend(pieces[1:] if onward else pieces)
        if onward:
            self._busy += 1
            self._begin(slot, onward, now)
        elif now < slot.until:
            self._claim(slot, now)
        else:
            self._rest(slot, now)
            self._send(1, now)
        if len(pieces) > 1:
            self._send(len(pieces) - 1, now)

    def _risen(self, short: int, now: float) -> tuple[Piece, ...]:
        """Begin the next threshold, in as many pieces as it is sure to be worth."""
        assert self._least_over is not None
        self._threshold, self._least_over = self._least_over, None
        expected = SURE_GROWTH * self._threshold_seconds
        self._threshold_began, self._threshold_seconds = now, 0.0
        self._has_spread = False
        return cut(_split, self._plan.board, [ROOT], min(1 + short, worth(expected)))

    def _note_spread(self, now: float) -> None:
        if not self._has_spread and self._busy >= 0.9 * self._plan.workers:
            self._has_spread = True
            self._report.spreads.append(now - self._threshold_began)


def _split(board: Board, cursor: bytes) -> tuple[Piece, Piece] | None:
    halves = Cursor.from_bytes(cursor).split()
    if halves is None:
        return None
    one, other = (Piece(half.to_bytes(), half.share(board)) for half in halves)
    return one, other
