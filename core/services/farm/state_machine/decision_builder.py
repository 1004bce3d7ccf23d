"""Builds a decision: the new state of the solve, and everything else that changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from operator import attrgetter

from tilework.core.messages import Message
from tilework.core.model.farm.changes import (
    Changes,
    NewSlices,
    NewSolution,
    SliceAction,
    SliceChange,
    Snapshot,
    WorkGroup,
)
from tilework.core.model.farm.estimate import add_effort, add_interval
from tilework.core.model.farm.solves import SearchConfig, Slice, SliceResult
from tilework.core.model.ids import new_id
from tilework.core.model.jobs import (
    QUARANTINE_S,
    QUARANTINED,
    Effort,
    Ending,
    Job,
    decide_end,
)
from tilework.core.model.states import JobState, Queue, SliceKind, SliceState, SolveState
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import Moves, MoveSequence
from tilework.core.search.limits import Statistics
from tilework.core.solver.strategy import is_improvable, uses_thresholds
from tilework.core.solver.target import Algorithm, Heuristic, Target

_AUTO = SearchConfig(Algorithm.AUTO, Heuristic.AUTO)
_OPTIMAL = Target()


class DecisionBuilder:
    """Collects the changes that follow from one event. It has no side effects."""

    def __init__(self, snapshot: Snapshot, now: float) -> None:
        self._snapshot = snapshot
        self.find_twin = snapshot.find_twin
        self.before = self.solve = snapshot.solve
        self.now = now
        self.changes = Changes(snapshot.solve)

    @cached_property
    def jobs(self) -> list[Job]:
        """Jobs still unfinished in this decision, oldest first."""
        return list(self._snapshot.jobs()) if self.before.state is SolveState.ACTIVE else []

    @cached_property
    def work(self) -> list[WorkGroup]:
        """Slices still unfinished in this decision, without the slice of the event."""
        work = list(self._snapshot.work())
        for added in self.changes.added:
            work.append(WorkGroup.from_slices(added.slices, self.now))
        return work

    def end_slice(
        self,
        slice_: Slice,
        action: SliceAction,
        *,
        expired: bool = False,
        result: SliceResult | None = None,
        state: SliceState = SliceState.READY,
        message: Message | None = None,
    ) -> None:
        """Record what happens to the slice of the event; see `SliceChange`."""
        if action is SliceAction.FINISH:
            self.solve = replace(self.solve, pending=self.solve.pending - 1)
        expiries = slice_.expiries + expired
        change = SliceChange(slice_, action, expired, result, state, expiries, message)
        self.changes.slice_change = change

    def new_slice(
        self,
        kind: SliceKind,
        cursor: bytes,
        priority: float,
        *,
        slice_id: str | None = None,
        queue: Queue = Queue.SEARCH,
        threshold: int = 0,
        config: SearchConfig = _AUTO,
        target: Target = _OPTIMAL,
        share: float = 0.0,
        parent_id: str | None = None,
    ) -> Slice:
        """Return a waiting slice of the solve."""
        return Slice(
            slice_id or new_id(),
            self.solve.id,
            self.solve.epoch,
            kind,
            queue,
            SliceState.READY,
            threshold,
            cursor,
            config,
            target,
            share,
            priority,
            parent_id=parent_id,
        )

    def add_slices(
        self, slices: Sequence[Slice], cost_s: float | None = None, wait_s: float | None = None
    ) -> None:
        """Add waiting or parked slices of the same kind; see `NewSlices`."""
        if slices[0].kind is SliceKind.SEARCH:
            self.solve = replace(self.solve, pending=self.solve.pending + len(slices))
        if "work" in self.__dict__:
            self.work.append(WorkGroup.from_slices(slices, self.now))
        self.changes.added.append(NewSlices(tuple(slices), cost_s, wait_s))

    def delete_from(self, threshold: int) -> None:
        """Delete all slices of this threshold and of higher ones."""
        changes = self.changes
        lowest = changes.deleted_from
        changes.deleted_from = threshold if lowest is None else min(lowest, threshold)
        changes.split_roots = [root for root in changes.split_roots if root.threshold < threshold]
        self._keep_added(lambda slice_: slice_.threshold < threshold)
        self.solve = replace(self.solve, pending=0)

    def drop_unfinished(self) -> None:
        """Delete every unfinished slice."""
        self.changes.drops_unfinished = True
        self.changes.added, self.changes.revivals = [], []
        self.solve = replace(self.solve, pending=0)
        # Assigned without loading the property first, which would cost a query per solved board.
        self.work = []

    def count(self, kind: SliceKind, effort: Statistics) -> None:
        """Add the effort on a slice, and the time in which at least one worker searched."""
        nodes, seconds = effort.generated, effort.seconds
        solve = self.solve = replace(
            self.solve, nodes=self.solve.nodes + nodes, seconds=self.solve.seconds + seconds
        )
        if kind is SliceKind.INITIAL:
            self.solve = replace(solve, wall_s=solve.wall_s + seconds)
        elif kind is SliceKind.SEARCH or not seconds:
            return  # the end of a part of the tree counts the time, and the node rate
        elif solve.threshold is None:
            self.solve = add_effort(solve, nodes, self.working_since(seconds), self.now)
        else:
            # The node rate is that of the proof; it predicts the remaining time. Parts of it count
            # their own time.
            starts = [group.oldest for group in self.parts() if group.state is SliceState.LEASED]
            until = min([self.now, *starts])
            self.solve = add_interval(solve, self.working_since(seconds), until)

    def improve_bounds(self, lower_bound: int, moves: MoveSequence | None, algorithm: str) -> None:
        """Apply better bounds."""
        before = self.solve.upper_bound
        length = None if moves is None else self.solve.metric.length(moves)
        self.solve = self.solve.with_bounds(lower_bound, length)
        if moves is not None and self.solve.upper_bound != before:
            self.changes.solution = NewSolution(moves, algorithm)
            # Trials of segments of the previous path no longer fit.
            new_path = self.solve.improvement.with_new_path()
            self.solve = replace(self.solve, improvement=new_path)

    def working_since(self, seconds: float) -> float:
        """Return since when workers have been at work, one of them for `seconds` until now.

        Work that waits for a worker takes no time.
        """
        start = self.now - seconds
        if self.solve.rate_at is not None and self.solve.rate_at >= start:
            return start  # counted until later than that, so the others need not be read
        held = (group for group in self.work if group.state is SliceState.LEASED)
        return min(
            [start, *(group.oldest for group in held if group.kind is not SliceKind.INITIAL)]
        )

    def splice(self, first: int, count: int, moves: Moves, algorithm: str) -> None:
        """Replace a segment of the stored solution with a shorter segment."""
        self.solve = self.solve.with_bounds(0, (self.solve.upper_bound or 0) - count + len(moves))
        self.changes.solution = NewSolution(moves, algorithm, first, count)

    def end_jobs(self, started_at: float | None = None, *, quarantined: bool = False) -> None:
        """End the jobs that are due, and park work that no job needs any more.

        ``started_at``: when the work that caused the event began.
        ``quarantined``: whether all remaining work of a job may be quarantined.
        """
        threshold, upper = self.solve.threshold, self.solve.upper_bound
        is_unneeded = threshold is not None and upper is not None and threshold >= upper
        if is_unneeded and not self.solve.settled and (parts := self.parts()):
            # A known solution has the length of this threshold, so only checks remain.
            self.delete_from(threshold or 0)
            self.drop_groups(parts)
        blocked = self._blocked_jobs() if quarantined else {}
        for job in list(self.jobs):
            end = decide_end(job, self.solve, self.now, blocked)
            if end is not None:
                self.end_job(job, *end, started_at=started_at)
        self.update_state()

    def end_job(
        self,
        job: Job,
        state: JobState,
        message: Message | None,
        *,
        started_at: float | None = None,
    ) -> None:
        """Move an unfinished job to a final state."""
        self.jobs.remove(job)
        solve = self.solve
        ending = Ending(job, state, solve.bounds, message, started_at, Effort.of(solve))
        self.changes.ended_jobs.append(ending)

    def update_state(self) -> None:
        """Update the state of the solve from its bounds and jobs."""
        solve = self.solve
        if solve.settled:
            self.drop_unfinished()
            # The new epoch stops the slices that are still under way.
            epoch = solve.epoch if solve.state is SolveState.SETTLED else solve.epoch + 1
            self.solve = replace(self.solve, state=SolveState.SETTLED, epoch=epoch)
        elif self.jobs:
            clients = list(map(attrgetter("client_id"), self.jobs))
            payer = solve.client_id if solve.client_id in clients else clients[0]
            self.solve = replace(solve, state=SolveState.ACTIVE, client_id=payer)
        else:
            self.solve = replace(solve, state=SolveState.IDLE)
        if self.changes.ended_jobs and not solve.settled:
            self._park_unneeded()

    def _park_unneeded(self) -> None:
        """Park or withdraw waiting work that serves no unfinished job."""
        needed_configs = {job.config for job in self.jobs}
        waiting = {
            group.config
            for group in self.work
            if group.kind is SliceKind.INITIAL
            and group.state in (SliceState.READY, SliceState.PARKED)
        }
        if unwanted := waiting - needed_configs:
            self._withdraw(unwanted)
        needs_proof = any(map(self.uses_thresholds, self.jobs))
        if not needs_proof and any(group.is_waiting_proof for group in self.work):
            self._park()
        if any(map(self.uses_trials, self.jobs)):
            return
        self.solve = replace(
            self.solve, improvement=replace(self.solve.improvement, pending_trials=())
        )
        trials = [group for group in self.trials() if group.state is not SliceState.LEASED]
        if trials and not self.has_auto_job():
            self.changes.drops_trials = True
            self._keep_added(lambda slice_: slice_.kind is not SliceKind.IMPROVE)
            self.drop_groups(trials)

    def _withdraw(self, configs: set[SearchConfig]) -> None:
        self.changes.withdrawn |= configs
        self.changes.revivals = [
            revival for revival in self.changes.revivals if revival.config not in configs
        ]
        self._keep_added(
            lambda slice_: slice_.kind is not SliceKind.INITIAL or slice_.config not in configs
        )
        self.drop_groups([group for config in configs for group in self.groups_for(config)])

    def _park(self) -> None:
        self.changes.parks = True
        self.changes.revivals = [
            revival for revival in self.changes.revivals if revival.config is not None
        ]
        self._change_added(partial(map, _parked))
        self.work = [
            group._replace(state=SliceState.PARKED) if group.is_waiting_proof else group
            for group in self.work
        ]

    def _keep_added(self, keep: Callable[[Slice], bool]) -> None:
        self._change_added(partial(filter, keep))

    def _change_added(self, change: Callable[[Iterable[Slice]], Iterable[Slice]]) -> None:
        changed = (new._replace(slices=tuple(change(new.slices))) for new in self.changes.added)
        self.changes.added = [new for new in changed if new.slices]

    def uses_thresholds(self, job: Job) -> bool:
        """Whether the search by thresholds serves a job."""
        return self.solve.metric is Metric.MOVES and uses_thresholds(
            job.config.algorithm, self.solve.cells
        )

    def uses_trials(self, job: Job | Slice) -> bool:
        """Whether trials for shorter solutions serve a job, or the jobs of an initial search."""
        algorithm = job.config.algorithm
        return self.solve.metric is Metric.MOVES and is_improvable(algorithm, self.solve.size)

    def has_auto_job(self) -> bool:
        """Whether a job leaves the choice of algorithm to the strategy, which includes trials."""
        return any(job.config.algorithm == Algorithm.AUTO for job in self.jobs)

    def parts(self) -> list[WorkGroup]:
        """Return the parts of the current threshold's tree."""
        return [group for group in self.work if group.kind is SliceKind.SEARCH]

    def trials(self) -> list[WorkGroup]:
        """Return the trials that look for a shorter solution."""
        return [group for group in self.work if group.kind is SliceKind.IMPROVE]

    def groups_for(self, config: SearchConfig | None) -> list[WorkGroup]:
        """Return the initial searches of a config; None means thresholds and their checks."""
        if config is None:
            return [group for group in self.work if group.kind.proves]
        return [
            group
            for group in self.work
            if group.kind is SliceKind.INITIAL and group.config == config
        ]

    def work_for(self, job: Job) -> tuple[SearchConfig | None, list[WorkGroup]]:
        """Return the work that serves a job: its initial searches, or long work (None)."""
        groups = self.groups_for(job.config)
        if self.uses_thresholds(job):
            is_under_way = self.solve.threshold is not None
            long = self.groups_for(None)
        else:
            is_under_way = self.uses_trials(job) and self.solve.improvement.opened
            long = self.trials()
        if not is_under_way:
            return job.config, groups
        # Long work started for other jobs also serves a job without a usable initial search.
        quarantined = all(group.is_quarantined for group in groups)
        return (None, long) if quarantined and (long or not groups) else (job.config, groups)

    def can_resume(self, group: WorkGroup) -> bool:
        """Whether parked work, or work quarantined long enough ago, can resume."""
        if group.is_quarantined:
            return group.oldest <= self.now - QUARANTINE_S
        return group.state is SliceState.PARKED

    def _blocked_jobs(self) -> dict[str, Message]:
        """Return the jobs whose work is all quarantined, each with the reason."""
        blocked: dict[str, Message] = {}
        if not any(group.is_quarantined for group in self.work):
            return blocked
        for job in self.jobs:
            _, groups = self.work_for(job)
            if groups and all(group.is_quarantined for group in groups):
                messages = (group.message for group in groups if group.message)
                blocked[job.id] = next(messages, QUARANTINED)
        return blocked

    def drop_groups(self, dropped: Collection[WorkGroup]) -> None:
        """Drop groups of deleted slices."""
        self.work = [group for group in self.work if group not in dropped]


def _parked(slice_: Slice) -> Slice:
    return replace(slice_, state=SliceState.PARKED) if slice_.kind.proves else slice_
