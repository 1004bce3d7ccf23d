"""A decision in the making: the solve as it will be, and what else changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property
from operator import attrgetter

from tilework.core.messages import Message
from tilework.core.model.changes import (
    Changes,
    NewSolution,
    SliceAction,
    SliceChange,
    Snapshot,
    WorkGroup,
)
from tilework.core.model.jobs import Effort, Ending, Job, decide_end, quarantine_message
from tilework.core.model.solves import SearchConfig, Slice, SliceResult
from tilework.core.model.states import JobState, SliceKind, SliceState, SolveState
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import Moves
from tilework.core.settings import Settings
from tilework.core.solver.strategy import is_improvable, uses_thresholds


class DecisionBuilder:
    """Collects what follows from one event; changes only itself."""

    def __init__(self, snapshot: Snapshot, now: float, settings: Settings) -> None:
        self._snapshot = snapshot
        self.settings = settings
        self.find_twin = snapshot.find_twin
        self.before = self.solve = snapshot.solve
        self.now = now
        self.changes = Changes(snapshot.solve)

    @property
    def quarantine_message(self) -> Message:
        """Why work is quarantined that crashed its workers."""
        return quarantine_message(self.settings.poison_rest_s)

    @cached_property
    def jobs(self) -> list[Job]:
        """Jobs still unfinished in this decision, oldest first."""
        return list(self._snapshot.jobs()) if self.before.state is SolveState.ACTIVE else []

    @cached_property
    def work(self) -> list[WorkGroup]:
        """Slices still unfinished in this decision, except for the event's own."""
        work = list(self._snapshot.work())
        for pieces, _ in self.changes.added:
            work.append(_group(pieces, self.now))
        return work

    def end_slice(
        self,
        slice_: Slice,
        action: SliceAction,
        *,
        expired: bool = False,
        found: SliceResult | None = None,
        state: SliceState = SliceState.READY,
        message: Message | None = None,
    ) -> None:
        """Say what becomes of the slice; see `SliceChange`."""
        if action is SliceAction.FINISH:
            self._count(-1)
        expiries = slice_.expiries + expired
        change = SliceChange(slice_, action, expired, found, state, expiries, message)
        self.changes.slice_change = change

    def add_slices(self, pieces: Sequence[Slice], cost_s: float | None = None) -> None:
        """Add slices that wait, or are parked, all of one kind; see `Changes.added`."""
        if pieces[0].kind is SliceKind.SEARCH:
            self._count(len(pieces))
        if "work" in self.__dict__:
            self.work.append(_group(pieces, self.now))
        self.changes.added.append((tuple(pieces), cost_s))

    def forget(self, threshold: int) -> None:
        """Delete the slices of thresholds from one on, done or not."""
        changes = self.changes
        lowest = changes.forgotten_from
        changes.forgotten_from = threshold if lowest is None else min(lowest, threshold)
        changes.split_roots = [one for one in changes.split_roots if one.threshold < threshold]
        self._keep_added(lambda slice_: slice_.threshold < threshold)
        self.solve = replace(self.solve, pending=0)

    def drop_unfinished(self) -> None:
        """Delete every slice that is not done."""
        self.changes.drops_unfinished = True
        self.changes.added, self.changes.revived = [], []
        self.solve = replace(self.solve, pending=0)
        # Not read just to be emptied: that would cost a statement for each board solved.
        self.work = []

    def take_bounds(
        self, lower_bound: int, moves: Moves | None, algorithm: str, nodes: int, seconds: float
    ) -> None:
        """Improve the bounds where these are better, and add the effort (`Solve.with_bounds`)."""
        before = self.solve.upper_bound
        length = None if moves is None else self.solve.metric.length(moves)
        solve = self.solve.with_bounds(lower_bound, length)
        self.solve = replace(solve, nodes=solve.nodes + nodes, seconds=solve.seconds + seconds)
        if moves is not None and self.solve.upper_bound != before:
            self.changes.solution = NewSolution(moves, algorithm)

    def splice(self, first: int, count: int, moves: Moves, algorithm: str) -> None:
        """Put a shorter way into the stored solution."""
        self.solve = self.solve.with_bounds(0, (self.solve.upper_bound or 0) - count + len(moves))
        self.changes.solution = NewSolution(moves, algorithm, first, count)

    def end_jobs(self, started_at: float | None = None, *, quarantined: bool = False) -> None:
        """End the jobs that are due to end, and park work that nobody asks for any more.

        The work that led here began at ``started_at``; all that is left of a job's may be
        ``quarantined``.
        """
        threshold, upper = self.solve.threshold, self.solve.upper_bound
        overtaken = threshold is not None and upper is not None and threshold >= upper
        if overtaken and not self.solve.settled and (parts := self.parts()):
            # A known solution has this threshold: only checks are left.
            self.forget(threshold or 0)
            self.lose(parts)
        hopeless = self._hopeless() if quarantined else {}
        for job in list(self.jobs):
            end = decide_end(job, self.solve, self.now, hopeless)
            if end is not None:
                self.end_job(job, *end, started_at=started_at)
        self.tend()

    def end_job(
        self,
        job: Job,
        state: JobState,
        message: Message | None,
        *,
        started_at: float | None = None,
    ) -> None:
        """Give an unfinished job its last state."""
        self.jobs.remove(job)
        solve = self.solve
        ending = Ending(job, state, *solve.bounds, message, started_at, Effort.of(solve))
        self.changes.ended_jobs.append(ending)

    def tend(self) -> None:
        """Bring the solve's state up to date with its bounds and its jobs."""
        solve = self.solve
        if solve.settled:
            self.drop_unfinished()
            # The new epoch tells the slices still under way that they can stop.
            epoch = solve.epoch if solve.state is SolveState.SETTLED else solve.epoch + 1
            self.solve = replace(self.solve, state=SolveState.SETTLED, epoch=epoch)
        elif self.jobs:
            clients = list(map(attrgetter("client_id"), self.jobs))
            payer = solve.client_id if solve.client_id in clients else clients[0]
            self.solve = replace(solve, state=SolveState.ACTIVE, client_id=payer)
        else:
            self.solve = replace(solve, state=SolveState.IDLE)
        if self.changes.ended_jobs and not solve.settled:
            self._rest()

    def _rest(self) -> None:
        """Park or withdraw waiting work that serves no unfinished job."""
        wanted = {job.config for job in self.jobs}
        waiting = {
            group.config
            for group in self.work
            if group.kind is SliceKind.OPEN and group.state in (SliceState.READY, SliceState.PARKED)
        }
        if unwanted := waiting - wanted:
            self._withdraw(unwanted)
        is_deepened = any(map(self.is_deepened, self.jobs))
        if not is_deepened and any(map(_waits_in_search, self.work)):
            self._park()
        if any(map(self.is_improved, self.jobs)):
            return
        self.solve = replace(self.solve, improvement=replace(self.solve.improvement, under_way=()))
        trials = [group for group in self.work if _waits_to_improve(group)]
        if trials and not is_deepened:
            self.changes.drops_trials = True
            self._keep_added(lambda slice_: slice_.kind is not SliceKind.IMPROVE)
            self.lose(trials)

    def _withdraw(self, configs: set[SearchConfig]) -> None:
        self.changes.withdrawn |= configs
        self.changes.revived = [one for one in self.changes.revived if one.config not in configs]
        self._keep_added(
            lambda slice_: slice_.kind is not SliceKind.OPEN or slice_.config not in configs
        )
        self.lose([group for config in configs for group in self.groups_of(config)])

    def _park(self) -> None:
        self.changes.parks = True
        self.changes.revived = [one for one in self.changes.revived if one.config is not None]
        parked = SliceState.PARKED
        self.changes.added = [
            (tuple(replace(one, state=parked) if one.kind.proves else one for one in pieces), cost)
            for pieces, cost in self.changes.added
        ]
        self.work = [
            group._replace(state=parked) if _waits_in_search(group) else group
            for group in self.work
        ]

    def _keep_added(self, stays: Callable[[Slice], bool]) -> None:
        added = ((tuple(filter(stays, pieces)), cost) for pieces, cost in self.changes.added)
        self.changes.added = [(pieces, cost) for pieces, cost in added if pieces]

    def _count(self, slices: int) -> None:
        self.solve = replace(self.solve, pending=self.solve.pending + slices)

    def is_deepened(self, job: Job) -> bool:
        """Whether the search by thresholds serves a job."""
        return self.solve.metric is Metric.MOVES and uses_thresholds(
            job.config.algorithm, self.solve.cells
        )

    def is_improved(self, job: Job | Slice) -> bool:
        """Whether a job, or those that an opening serves, wait as long as a way may be shorter."""
        algorithm = job.config.algorithm
        return self.solve.metric is Metric.MOVES and is_improvable(algorithm, self.solve.size)

    def parts(self) -> list[WorkGroup]:
        """Return the parts of the present threshold's tree."""
        return [group for group in self.work if group.kind is SliceKind.SEARCH]

    def trials(self) -> list[WorkGroup]:
        """Return the tries at a shorter solution."""
        return [group for group in self.work if group.kind is SliceKind.IMPROVE]

    def groups_of(self, config: SearchConfig | None) -> list[WorkGroup]:
        """Return the openings of a course, or with None the search by thresholds and its checks."""
        return [
            one
            for one in self.work
            if (
                one.kind.proves
                if config is None
                else one.kind is SliceKind.OPEN and one.config == config
            )
        ]

    def serving(self, job: Job) -> tuple[SearchConfig | None, list[WorkGroup]]:
        """Return the work that serves a job: openings of its course, else long work (None)."""
        groups = self.groups_of(job.config)
        if self.is_deepened(job):
            under_way = self.solve.threshold is not None
            long = self.groups_of(None)
        else:
            under_way = self.is_improved(job) and self.solve.improvement.opened
            long = self.trials()
        if not under_way:
            return job.config, groups
        # What others began serves whoever has no opening, or one in quarantine.
        quarantined = all(map(_is_quarantined, groups))
        return (None, long) if quarantined and (long or not groups) else (job.config, groups)

    def can_wait_again(self, group: WorkGroup) -> bool:
        """Whether parked work, or some that was quarantined long enough ago, may go on."""
        if group.state is SliceState.QUARANTINED:
            return group.oldest <= self.now - self.settings.poison_rest_s
        return group.state is SliceState.PARKED

    def _hopeless(self) -> dict[str, Message]:
        """Return by job why nothing can be done for it: all its work is quarantined."""
        found: dict[str, Message] = {}
        if not any(map(_is_quarantined, self.work)):
            return found
        for job in self.jobs:
            _, groups = self.serving(job)
            if groups and all(map(_is_quarantined, groups)):
                found[job.id] = next(
                    (one.message for one in groups if one.message), self.quarantine_message
                )
        return found

    def lose(self, gone: Collection[WorkGroup]) -> None:
        """Forget groups of slices that are no more."""
        self.work = [group for group in self.work if group not in gone]


def _is_quarantined(group: WorkGroup) -> bool:
    return group.state is SliceState.QUARANTINED


def _waits_in_search(group: WorkGroup) -> bool:
    return group.kind.proves and group.state is SliceState.READY


def _waits_to_improve(group: WorkGroup) -> bool:
    return group.kind is SliceKind.IMPROVE and group.state is not SliceState.LEASED


def _group(pieces: Sequence[Slice], now: float) -> WorkGroup:
    first = pieces[0]
    return WorkGroup(first.kind, first.state, first.config, len(pieces), None, now)
