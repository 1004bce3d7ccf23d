"""A solve's life in the database: its situation, and the effects of decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from sqlalchemy import Connection

from tilework.core.errors import BoardError, ReplayError
from tilework.core.model import changes as effects
from tilework.core.model.changes import Applied, Decision, Effect, Splice, WorkGroup
from tilework.core.model.job_views import BoundEventView
from tilework.core.model.jobs import Job
from tilework.core.model.leases import Holder
from tilework.core.model.solves import Slice, Solve
from tilework.core.model.states import Queue, SliceKind, SliceState, SolveState, new_id
from tilework.core.model.workload import spread
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay
from tilework.core.storage.damage.sealed import damaged
from tilework.core.storage.farm.slices import StoredSlices
from tilework.core.storage.farm.solves import StoredSolves
from tilework.core.storage.jobs.clients import StoredClients
from tilework.core.storage.jobs.events import StoredEvents
from tilework.core.storage.jobs.jobs import StoredJobs


class StoredSituation:
    """A locked solve; its jobs and slices are read when they are first asked for."""

    def __init__(self, connection: Connection, solve: Solve, but: str | None) -> None:
        self.solve = solve
        self._connection = connection
        self._but = but

    @cached_property
    def jobs(self) -> Sequence[Job]:
        """Its unfinished jobs, oldest first."""
        if self.solve.state is not SolveState.ACTIVE:
            return ()
        return StoredJobs(self._connection).active_of(self.solve.id)

    def twin_of(self, job: Job) -> Job | None:
        """One of them that asks for the same."""
        if self.solve.state is not SolveState.ACTIVE:
            return None
        return StoredJobs(self._connection).twin_of(self.solve.id, job)

    @cached_property
    def work(self) -> Sequence[WorkGroup]:
        """Its slices that are not done, but for the one that the event is about."""
        return StoredSlices(self._connection).groups(self.solve.id, self._but)


class StoredLives:
    """Applies decisions on one connection, which holds the solve's lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._solves = StoredSolves(connection)
        self._jobs = StoredJobs(connection)
        self._slices = StoredSlices(connection)

    def situation(self, solve: Solve, but: str | None = None) -> StoredSituation:
        """Return where a locked solve stands, apart from one slice."""
        return StoredSituation(self._connection, solve, but)

    def apply(
        self,
        before: Solve,
        decision: Decision,
        now: float,
        *,
        others: float | None = None,
        holder: Holder | None = None,
    ) -> Applied:
        """Apply a decision, or nothing at all where the lease that it rests on is lost.

        Parameters
        ----------
        before : Solve
            As it was locked.
        others : float or None
            The first turn of those who wait for other solves; None for nobody.
        holder : Holder, optional
            Who would go on with the first of the new slices, unless somebody else's turn comes
            first.
        """
        if not decision.effects and decision.solve == before:
            return Applied()
        applying = _Applying(
            connection=self._connection,
            jobs=self._jobs,
            slices=self._slices,
            solve_id=before.id,
            payer=decision.solve.client_id,
            now=now,
            others=others,
            holder=holder,
        )
        for effect in decision.effects:
            if not applying.do(effect):
                return Applied()
        after = decision.solve
        if decision.solution is not None:
            found = decision.solution
            moves = self._spliced(before, found) if isinstance(found, Splice) else found.moves
            self._solves.save_with_moves(after, now, moves, found.algorithm)
        elif after != before:
            self._solves.save(after, now)
        if after.bounds != before.bounds:
            event = BoundEventView(now, *after.bounds, after.nodes)
            StoredEvents(self._connection).add(new_id(), after.id, event)
        return Applied(True, tuple(applying.fresh), applying.onward)

    def _spliced(self, solve: Solve, change: Splice) -> Moves:
        """Put a shorter way into the stored solution; the whole is replayed as any other."""
        stored = self._solves.moves(solve.id)
        if stored is None or len(stored) != solve.upper_bound:
            raise damaged("solve", solve.id)
        behind = stored[change.first + change.count :]
        moves = np.concatenate([stored[: change.first], change.moves, behind])
        puzzle = self._solves.puzzle(solve.id)
        try:
            replay(unpack_board(puzzle.board_bytes), moves, unpack_board(puzzle.goal_bytes))
        except (BoardError, ReplayError):
            # The stretch itself was replayed where it was found.
            raise damaged("solve", solve.id) from None
        return moves


@dataclass
class _Applying:
    """The effects of one decision, one after the other."""

    connection: Connection
    jobs: StoredJobs
    slices: StoredSlices
    solve_id: str
    payer: str | None
    now: float
    others: float | None
    holder: Holder | None
    fresh: list[Queue] = field(default_factory=list)
    onward: Slice | None = None

    def do(self, effect: Effect) -> bool:
        """Apply an effect; False where it needs a lease that is lost."""
        return bool(_DOERS[type(effect)](self, effect))

    def _keep(self, effect: effects.Keep) -> bool:
        return self.slices.holds(effect.piece.lease)

    def _overdue(self, effect: effects.Overdue) -> bool:
        return self.slices.overdue(effect.piece.lease, self.now)

    def _finish(self, effect: effects.Finish) -> bool:
        return self.slices.finish(effect.piece.lease, effect.found, self.now)

    def _drop(self, effect: effects.Drop) -> bool:
        return self.slices.drop(effect.piece.lease)

    def _return(self, effect: effects.Return) -> bool:
        return self.slices.put(
            effect.piece.lease, effect.state, effect.expiries, self.now, effect.message
        )

    def _add_job(self, effect: effects.AddJob) -> bool:
        self.jobs.add([effect.job])
        return True

    def _end_job(self, effect: effects.EndJob) -> bool:
        self.jobs.end(effect.ending, self.now)
        return True

    def _start_jobs(self, effect: effects.StartJobs) -> bool:
        self.jobs.start(effect.ids, self.now)
        return True

    def _move_jobs(self, effect: effects.MoveJobs) -> bool:
        self.jobs.move(effect.ids, effect.queue, effect.started_at)
        return True

    def _add_slices(self, effect: effects.AddSlices) -> bool:
        fresh = effect.slices
        if effect.cost_s is not None:
            fresh = self._with_turns(fresh, effect.cost_s)
        goes_on = (
            self.holder is not None
            and self.onward is None
            and fresh[0].state is SliceState.READY
            and effect.cost_s is not None
            and self._is_next(fresh[0])
        )
        if goes_on and self.holder is not None:
            owner = self.holder.owner
            self.onward = replace(fresh[0], state=SliceState.LEASED, attempts=1, owner=owner)
            fresh = (self.onward, *fresh[1:])
        self.slices.add(fresh, self.now, self.holder)
        self.fresh += [piece.queue for piece in fresh if piece.state is SliceState.READY]
        return True

    def _is_next(self, piece: Slice) -> bool:
        """Whether it is a fresh slice's turn; a try lets the search of its own solve go first."""
        first = self.others
        if piece.kind is SliceKind.IMPROVE:
            first = self.slices.first_turn(None)
        return first is None or first >= piece.turn

    def _with_turns(self, fresh: tuple[Slice, ...], cost_s: float) -> tuple[Slice, ...]:
        def charge(least: float, amount: float) -> float:
            return StoredClients(self.connection).charge(self.payer or "", least, amount)

        others = None if self.payer is None else self.others
        turns = spread(fresh[0].turn, others, charge, cost_s=cost_s, count=len(fresh))
        return tuple(replace(one, turn=turn) for one, turn in zip(fresh, turns, strict=True))

    def _charge(self, effect: effects.Charge) -> bool:
        if self.payer is not None and self.others is not None:
            StoredClients(self.connection).charge(self.payer, self.others, effect.seconds)
        return True

    def _add_proof(self, effect: effects.AddProof) -> bool:
        done = replace(effect.piece, state=SliceState.DONE)
        self.slices.add([done], self.now)
        return True

    def _revive(self, effect: effects.Revive) -> bool:
        revived = self.slices.revive(
            self.solve_id,
            effect.course,
            turn=effect.turn,
            rested_before=effect.rested_before,
            now=self.now,
        )
        self.fresh += [effect.queue] * revived
        return True

    def _park(self, _effect: effects.Park) -> bool:
        self.slices.park(self.solve_id, self.now)
        return True

    def _withdraw(self, effect: effects.Withdraw) -> bool:
        self.slices.withdraw(self.solve_id, effect.courses)
        return True

    def _drop_trials(self, _effect: effects.DropTrials) -> bool:
        self.slices.drop_trials(self.solve_id)
        return True

    def _drop_unfinished(self, _effect: effects.DropUnfinished) -> bool:
        self.slices.drop_all(self.solve_id)
        return True

    def _forget(self, effect: effects.Forget) -> bool:
        self.slices.forget(self.solve_id, effect.threshold)
        return True


_DOERS: dict[type, Callable[[_Applying, Any], bool]] = {
    effects.Keep: _Applying._keep,
    effects.Overdue: _Applying._overdue,
    effects.Finish: _Applying._finish,
    effects.Drop: _Applying._drop,
    effects.Return: _Applying._return,
    effects.AddJob: _Applying._add_job,
    effects.EndJob: _Applying._end_job,
    effects.StartJobs: _Applying._start_jobs,
    effects.MoveJobs: _Applying._move_jobs,
    effects.AddSlices: _Applying._add_slices,
    effects.Charge: _Applying._charge,
    effects.AddProof: _Applying._add_proof,
    effects.Revive: _Applying._revive,
    effects.Park: _Applying._park,
    effects.Withdraw: _Applying._withdraw,
    effects.DropTrials: _Applying._drop_trials,
    effects.DropUnfinished: _Applying._drop_unfinished,
    effects.Forget: _Applying._forget,
}
