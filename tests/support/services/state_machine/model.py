"""A solve in plain lists: applies changes as the storage does, but without a database."""

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


@dataclass
class Model:
    """One solve, its jobs and its slices.

    ``changed_at`` has the time of each slice's last change, ``messages`` the reason for its
    quarantine.
    """

    solve: Solve
    jobs: dict[str, Job] = field(default_factory=dict)
    ended: dict[str, object] = field(default_factory=dict)
    slices: dict[str, Slice] = field(default_factory=dict)
    done: list[Slice] = field(default_factory=list)
    changed_at: dict[str, float] = field(default_factory=dict)
    messages: dict[str, Message | None] = field(default_factory=dict)

    def copy(self) -> Model:
        copies = {name: copy(value) for name, value in vars(self).items() if name != "solve"}
        return Model(self.solve, **copies)

    def snapshot(self, without: str | None) -> Snapshot:
        groups = defaultdict(list)
        for slice_ in self.slices.values():
            if slice_.id != without:
                key = (slice_.kind, slice_.state, slice_.config)
                groups[key].append(slice_)
        work = [
            WorkGroup(
                *key,
                len(slices),
                max(
                    filter(None, (self.messages.get(slice_.id) for slice_ in slices)),
                    key=Message.to_json,
                    default=None,
                ),
                min(self.changed_at.get(slice_.id, 0.0) for slice_ in slices),
            )
            for key, slices in groups.items()
        ]

        def find_twin(job: Job) -> Job | None:
            goal = (job.config, job.target)
            return next((twin for twin in jobs if (twin.config, twin.target) == goal), None)

        jobs = list(self.jobs.values())
        return Snapshot(self.solve, lambda: jobs, lambda: work, find_twin)

    def apply_event(self, event, now: float) -> Changes:
        slice_ = getattr(event, "slice", None)
        changes = decide(self.snapshot(slice_ and slice_.id), event, now)
        self.apply_changes(changes, now)
        return changes

    def apply_changes(self, changes: Changes, now: float) -> None:
        if changes.slice_change is not None and not self.change_slice(changes.slice_change, now):
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
        if (threshold := changes.deleted_from) is not None:
            self.done = [record for record in self.done if record.threshold < threshold]
            self.delete(lambda slice_: slice_.threshold >= threshold)
        if changes.drops_unfinished:
            self.slices.clear()
        self.delete(
            lambda slice_: (
                self.is_waiting(slice_) and self.slice_config(slice_) in changes.withdrawn
            )
        )
        if changes.drops_trials:
            self.delete(lambda slice_: self.is_waiting(slice_) and slice_.kind is SliceKind.IMPROVE)
        for slice_ in list(self.slices.values()):
            if changes.parks and slice_.kind.proves and slice_.state is SliceState.READY:
                self.put(replace(slice_, state=SliceState.PARKED), now)
        for revival in changes.revivals:
            for slice_ in list(self.slices.values()):
                rested = self.changed_at.get(slice_.id, 0.0) <= revival.quarantined_before
                if self.slice_config(slice_) == revival.config and (
                    slice_.state is SliceState.PARKED
                    or (slice_.state is SliceState.QUARANTINED and rested)
                ):
                    self.put(replace(slice_, state=SliceState.READY, expiries=0), now)
        self.done += changes.split_roots
        for slices, *_ in changes.added:
            for slice_ in slices:
                self.put(slice_, now)
        self.solve = changes.solve

    def change_slice(self, change: SliceChange, now: float) -> bool:
        """Apply the change to the event's slice; return False if its lease is lost."""
        slice_ = change.slice
        if not self.is_leased(slice_):
            return False
        if change.action is SliceAction.FINISH:
            self.done.append(self.slices.pop(slice_.id))
        elif change.action is SliceAction.DELETE:
            del self.slices[slice_.id]
        elif change.action is SliceAction.RETURN:
            returned = replace(slice_, state=change.state, expiries=change.expiries, owner=None)
            self.put(returned, now, change.message)
        return True

    def delete(self, matches: Callable[[Slice], bool]) -> None:
        self.slices = {id_: slice_ for id_, slice_ in self.slices.items() if not matches(slice_)}

    def is_leased(self, slice_: Slice) -> bool:
        current = self.slices.get(slice_.id)
        return (
            current is not None
            and current.state is SliceState.LEASED
            and current.lease == slice_.lease
        )

    @staticmethod
    def slice_config(slice_: Slice) -> SearchConfig | None:
        """Return the configuration of an initial search; None for the search by thresholds."""
        return slice_.config if slice_.kind is SliceKind.INITIAL else None

    @staticmethod
    def is_waiting(slice_: Slice) -> bool:
        return slice_.state in (SliceState.READY, SliceState.PARKED)

    def put(self, slice_: Slice, now: float, message: Message | None = None) -> None:
        self.slices[slice_.id] = slice_
        self.changed_at[slice_.id] = now
        self.messages[slice_.id] = message or self.messages.get(slice_.id)

    def lease(self, slice_: Slice, owner: str = "w") -> Slice:
        leased = replace(slice_, state=SliceState.LEASED, owner=owner, attempts=slice_.attempts + 1)
        self.slices[slice_.id] = leased
        return leased
