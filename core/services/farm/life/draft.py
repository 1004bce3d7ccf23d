"""A decision in the making: the solve as it will be, and the effects so far."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property

from tilework.core.messages import Message
from tilework.core.model.changes import (
    Decision,
    DropTrials,
    DropUnfinished,
    Effect,
    EndJob,
    Forget,
    Park,
    Situation,
    Solution,
    Splice,
    Withdraw,
    WorkGroup,
    pending_after,
)
from tilework.core.model.jobs import Effort, Ending, Job, crashed, end_of
from tilework.core.model.solves import Course, Slice
from tilework.core.model.states import JobState, SliceKind, SliceState, SolveState
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import Moves
from tilework.core.services.farm.life.rules import Rules
from tilework.core.solver.strategy import deepens, improves


class Draft:
    """Collects what follows from one event; changes only itself."""

    def __init__(self, situation: Situation, now: float, rules: Rules) -> None:
        self._situation = situation
        self.rules = rules
        self.before = situation.solve
        self.solve = situation.solve
        self.now = now
        self._effects: list[Effect] = []
        self._solution: Solution | Splice | None = None
        self._ended = False

    @property
    def crashed(self) -> Message:
        """Why work is quarantined that crashed its workers."""
        return crashed(self.rules.quarantine_s)

    @cached_property
    def jobs(self) -> list[Job]:
        """Jobs still unfinished in this draft, oldest first."""
        return list(self._situation.jobs)

    @cached_property
    def work(self) -> list[WorkGroup]:
        """Slices still unfinished in this draft, except for the event's own."""
        return list(self._situation.work)

    def twin_of(self, job: Job) -> Job | None:
        """Return an unfinished job that asks for the same as a new one."""
        return self._situation.twin_of(job)

    def add(self, *effects: Effect) -> None:
        """Add effects, to be applied in this order, and count the slices of search."""
        self._effects += effects
        for effect in effects:
            pending = pending_after(self.solve.pending, effect)
            if pending != self.solve.pending:
                self.solve = replace(self.solve, pending=pending)

    def decision(self) -> Decision:
        """Return what was decided."""
        return Decision(self.solve, tuple(self._effects), self._solution)

    # Bounds

    def take_bounds(
        self, lower_bound: int, moves: Moves | None, algorithm: str, nodes: int, seconds: float
    ) -> None:
        """Improve the bounds where these are better, and add the effort.

        Raises
        ------
        BoundsError
            As `Solve.with_bounds`.
        """
        before = self.solve.upper_bound
        length = None if moves is None else self.solve.metric.length(moves)
        solve = self.solve.with_bounds(lower_bound, length)
        self.solve = replace(solve, nodes=solve.nodes + nodes, seconds=solve.seconds + seconds)
        if moves is not None and self.solve.upper_bound != before:
            self._solution = Solution(moves, algorithm)

    def splice(self, change: Splice) -> None:
        """Put a shorter way into the stored solution."""
        upper = self.solve.upper_bound or 0
        length = upper - change.count + len(change.moves)
        self.solve = self.solve.with_bounds(0, length)
        self._solution = change

    def forget_solution(self) -> None:
        """Discard the stored solution."""
        self._solution = Solution(None, None)

    # Jobs

    def end_jobs(self, started_at: float | None = None, *, quarantined: bool = False) -> None:
        """End the jobs that are due to end, and park work that nobody asks for any more.

        Parameters
        ----------
        started_at : float, optional
            When the work that led here began.
        quarantined : bool
            Whether all that is left of a job's work may be in quarantine.
        """
        self._leave_what_is_overtaken()
        hopeless = self._hopeless() if quarantined else {}
        for job in list(self.jobs):
            end = end_of(job, self.solve, self.now, hopeless)
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
        self._ended = True
        solve = self.solve
        ending = Ending(job, state, *solve.bounds, message, started_at, Effort.of(solve))
        self.add(EndJob(ending))

    def tend(self) -> None:
        """Bring the solve's state up to date with its bounds and its jobs."""
        solve = self.solve
        if solve.settled:
            self.add(DropUnfinished())
            solve = self.solve
            # Not read just to be emptied: that would cost a statement for each board solved.
            self.work = []
            # The new epoch tells the slices still under way that they can stop.
            epoch = solve.epoch if solve.state is SolveState.SETTLED else solve.epoch + 1
            self.solve = replace(solve, state=SolveState.SETTLED, epoch=epoch)
        elif self.jobs:
            clients = [job.client_id for job in self.jobs]
            payer = solve.client_id if solve.client_id in clients else clients[0]
            self.solve = replace(solve, state=SolveState.ACTIVE, client_id=payer)
            self._rest()
        else:
            self.solve = replace(solve, state=SolveState.IDLE)
            self._rest()

    def _leave_what_is_overtaken(self) -> None:
        """Drop a search under a threshold that a known solution has: only checks are left."""
        threshold, upper = self.solve.threshold, self.solve.upper_bound
        if threshold is None or upper is None or threshold < upper or self.solve.settled:
            return
        if parts := self.parts():
            self.add(Forget(threshold))
            self.lose(parts)

    def _rest(self) -> None:
        """Park or withdraw waiting work that serves no unfinished job."""
        if not self._ended:
            return
        wanted = {job.course for job in self.jobs}
        waiting = {
            group.course
            for group in self.work
            if group.kind is SliceKind.OPEN and group.state in (SliceState.READY, SliceState.PARKED)
        }
        if unwanted := waiting - wanted:
            self.add(Withdraw(tuple(sorted(unwanted))))
            self.lose([group for course in unwanted for group in self.groups_of(course)])
        if not any(map(self.is_deepened, self.jobs)) and any(map(_waits_in_search, self.work)):
            self.add(Park())
            self.work[:] = [
                replace(group, state=SliceState.PARKED) if _waits_in_search(group) else group
                for group in self.work
            ]
        if any(map(self.is_improved, self.jobs)):
            return
        self.solve = replace(self.solve, improvement=replace(self.solve.improvement, under_way=()))
        tries = [group for group in self.work if _waits_to_improve(group)]
        if tries and not any(map(self.is_deepened, self.jobs)):
            self.add(DropTrials())
            self.lose(tries)

    # Work

    def is_deepened(self, job: Job) -> bool:
        """Whether the search by thresholds serves a job."""
        return self.solve.metric is Metric.MOVES and deepens(job.course.algorithm, self.solve.cells)

    def is_improved(self, job: Job | Slice) -> bool:
        """Whether a job, or those that an opening serves, wait as long as a way may be shorter."""
        algorithm = job.course.algorithm
        return self.solve.metric is Metric.MOVES and improves(algorithm, self.solve.size)

    def parts(self) -> list[WorkGroup]:
        """Return the parts of the present threshold's tree."""
        return [group for group in self.work if group.kind is SliceKind.SEARCH]

    def tries(self) -> list[WorkGroup]:
        """Return the tries at a shorter solution."""
        return [group for group in self.work if group.kind is SliceKind.IMPROVE]

    def groups_of(self, course: Course | None) -> list[WorkGroup]:
        """Return the openings of a course, or with None the search by thresholds and its checks."""
        if course is None:
            return [group for group in self.work if group.kind.proves]
        return [
            group for group in self.work if group.kind is SliceKind.OPEN and group.course == course
        ]

    def serving(self, job: Job) -> tuple[Course | None, list[WorkGroup]]:
        """Return the work that serves a job: openings of its course, else long work (None)."""
        groups = self.groups_of(job.course)
        if self.is_deepened(job):
            under_way = self.solve.threshold is not None
            long = self.groups_of(None)
        else:
            under_way = self.is_improved(job) and self.solve.improvement.opened
            long = self.tries()
        if not under_way:
            return job.course, groups
        # What others began serves whoever has no opening, or one in quarantine.
        quarantined = all(group.state is SliceState.QUARANTINED for group in groups)
        return (None, long) if quarantined and (long or not groups) else (job.course, groups)

    def can_wait_again(self, group: WorkGroup) -> bool:
        """Whether parked work, or some that was quarantined long enough ago, may go on."""
        if group.state is SliceState.QUARANTINED:
            return group.oldest <= self.now - self.rules.quarantine_s
        return group.state is SliceState.PARKED

    def _hopeless(self) -> dict[str, Message]:
        """Return by job why nothing can be done for it: all its work is quarantined."""
        if not any(group.state is SliceState.QUARANTINED for group in self.work):
            return {}
        found: dict[str, Message] = {}
        for job in self.jobs:
            _, groups = self.serving(job)
            if groups and all(group.state is SliceState.QUARANTINED for group in groups):
                found[job.id] = next((one.message for one in groups if one.message), self.crashed)
        return found

    def lose(self, gone: Collection[WorkGroup]) -> None:
        """Forget groups of slices that are no more."""
        self.work[:] = [group for group in self.work if group not in gone]


def _waits_in_search(group: WorkGroup) -> bool:
    return group.kind.proves and group.state is SliceState.READY


def _waits_to_improve(group: WorkGroup) -> bool:
    return group.kind is SliceKind.IMPROVE and group.state is not SliceState.LEASED
