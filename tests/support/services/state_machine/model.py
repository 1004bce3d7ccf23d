"""A solve in plain lists: what the storage does with changes, implemented without a database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace

from tilework.core.messages import Message
from tilework.core.model.farm.changes import Changes, SliceAction, SliceChange, Snapshot, WorkGroup
from tilework.core.model.farm.solves import SearchConfig, Slice, Solve
from tilework.core.model.jobs import Job
from tilework.core.model.states import SliceKind, SliceState
from tilework.core.services.farm.state_machine.decide import decide
from tilework.core.settings import Settings

SETTINGS = Settings.model_validate(
    {"poison_rest_s": 100.0, "search_slice_s": 1.0, "trial_memory_bytes": 10**8}
)


@dataclass
class Model:
    """One solve, its jobs and its slices.

    ``touched`` has the time of a slice's last change, ``messages`` the reason for its quarantine.
    """

    solve: Solve
    jobs: dict[str, Job] = field(default_factory=dict)
    ended: dict[str, object] = field(default_factory=dict)
    slices: dict[str, Slice] = field(default_factory=dict)
    done: list[Slice] = field(default_factory=list)
    touched: dict[str, float] = field(default_factory=dict)
    messages: dict[str, Message | None] = field(default_factory=dict)

    def copy(self) -> Model:
        facts = {name: copy(fact) for name, fact in vars(self).items() if name != "solve"}
        return Model(self.solve, **facts)

    def snapshot(self, but: str | None) -> Snapshot:
        groups = defaultdict(list)
        for piece in self.slices.values():
            if piece.id != but:
                key = (piece.kind, piece.state, piece.config)
                groups[key].append(piece)
        work = [
            WorkGroup(
                *key,
                len(pieces),
                max(
                    filter(None, (self.messages.get(one.id) for one in pieces)),
                    key=Message.to_json,
                    default=None,
                ),
                min(self.touched.get(one.id, 0.0) for one in pieces),
            )
            for key, pieces in groups.items()
        ]

        def find_twin(job: Job) -> Job | None:
            same = ((one.config, one.target) == (job.config, job.target) for one in jobs)
            return next((one for one, fits in zip(jobs, same, strict=True) if fits), None)

        jobs = list(self.jobs.values())
        return Snapshot(self.solve, lambda: jobs, lambda: work, find_twin)

    def settle(self, event, now: float) -> Changes:
        piece = getattr(event, "slice", None)
        changes = decide(self.snapshot(piece and piece.id), event, now, SETTINGS)
        self.apply(changes, now)
        return changes

    def apply(self, changes: Changes, now: float) -> None:
        if changes.slice_change is not None and not self.change(changes.slice_change, now):
            return
        if (job := changes.added_job) is not None:
            if job.state.terminal:
                self.ended[job.id] = job.state
            else:
                self.jobs[job.id] = job
        for ending in changes.ended_jobs:
            assert ending.job.id not in self.ended
            del self.jobs[ending.job.id]
            self.ended[ending.job.id] = ending.state
        if (threshold := changes.forgotten_from) is not None:
            self.done = [one for one in self.done if one.threshold < threshold]
            self.delete(lambda piece: piece.threshold >= threshold)
        if changes.drops_unfinished:
            self.slices.clear()
        self.delete(lambda piece: self.waits(piece) and self.lane(piece) in changes.withdrawn)
        if changes.drops_trials:
            self.delete(lambda piece: self.waits(piece) and piece.kind is SliceKind.IMPROVE)
        for piece in list(self.slices.values()):
            if changes.parks and piece.kind.proves and piece.state is SliceState.READY:
                self.put(replace(piece, state=SliceState.PARKED), now)
        for revival in changes.revived:
            for piece in list(self.slices.values()):
                rested = self.touched.get(piece.id, 0.0) <= revival.quarantined_before
                if self.lane(piece) == revival.config and (
                    piece.state is SliceState.PARKED
                    or (piece.state is SliceState.QUARANTINED and rested)
                ):
                    self.put(replace(piece, state=SliceState.READY, expiries=0), now)
        self.done += changes.split_roots
        for pieces, _ in changes.added:
            for piece in pieces:
                self.put(piece, now)
        self.solve = changes.solve

    def change(self, change: SliceChange, now: float) -> bool:
        """Apply the change to the event's slice; return False if its lease is lost."""
        piece = change.slice
        if not self.holds(piece):
            return False
        if change.action is SliceAction.FINISH:
            self.done.append(self.slices.pop(piece.id))
        elif change.action is SliceAction.DELETE:
            del self.slices[piece.id]
        elif change.action is SliceAction.RETURN:
            after = replace(piece, state=change.state, expiries=change.expiries, owner=None)
            self.put(after, now, change.message)
        return True

    def delete(self, goes: Callable[[Slice], bool]) -> None:
        self.slices = {id_: piece for id_, piece in self.slices.items() if not goes(piece)}

    def holds(self, piece: Slice) -> bool:
        there = self.slices.get(piece.id)
        return there is not None and there.state is SliceState.LEASED and there.lease == piece.lease

    @staticmethod
    def lane(piece: Slice) -> SearchConfig | None:
        """Return the configuration of an initial search; None for the search by thresholds."""
        return piece.config if piece.kind is SliceKind.OPEN else None

    @staticmethod
    def waits(piece: Slice) -> bool:
        return piece.state in (SliceState.READY, SliceState.PARKED)

    def put(self, piece: Slice, now: float, message: Message | None = None) -> None:
        self.slices[piece.id] = piece
        self.touched[piece.id] = now
        self.messages[piece.id] = message or self.messages.get(piece.id)

    def take(self, piece: Slice, owner: str = "w") -> Slice:
        taken = replace(piece, state=SliceState.LEASED, owner=owner, attempts=piece.attempts + 1)
        self.slices[piece.id] = taken
        return taken
