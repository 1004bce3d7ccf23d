"""What workers are doing for a job at the moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilework.core.model.farm.improvement import TrialView
from tilework.core.model.jobs import JobView
from tilework.core.model.states import SliceKind
from tilework.core.solver.trial import Trial, TrialKind

_NAMES = {SliceKind.INITIAL: "initial", SliceKind.SEARCH: "proof", SliceKind.CHECK: "check"}


@dataclass(frozen=True, slots=True)
class RunningSlice:
    """A slice under lease.

    ``nodes``: as of its last report, 0 before the first.
    ``since``: when it was claimed.
    ``trial``: of a slice that looks for a shorter solution.
    """

    id: str
    kind: SliceKind
    threshold: int
    nodes: int
    since: float
    trial: Trial | None


@dataclass(frozen=True, slots=True)
class WorkView:
    """The work of one worker.

    ``kind``: ``initial``, ``proof``, ``check``, or that of a trial (`TrialKind`).
    ``expected_s``: its expected duration; None if unknown.
    ``first``, ``count``: the segment of the best solution that windows search; None for other
        kinds, and once another solution is the best.
    """

    kind: str
    nodes: int
    since: float
    threshold: int | None = None
    expected_s: float | None = None
    width: int | None = None
    view: int | None = None
    first: int | None = None
    count: int | None = None
    length: int | None = None


@dataclass(frozen=True, slots=True)
class ActivityView:
    """The work for a job, and all nodes so far."""

    nodes: int
    work: tuple[WorkView, ...]


def activity_view(job: JobView, running: Sequence[RunningSlice]) -> ActivityView:
    if job.finished:
        return ActivityView(job.nodes, ())
    improvement = job.improvement
    trials = {} if improvement is None else {trial.id: trial for trial in improvement.trying}
    work = tuple(_work_view(slice_, trials.get(slice_.id)) for slice_ in running)
    return ActivityView(job.nodes, work)


def _work_view(running: RunningSlice, pending_trial: TrialView | None) -> WorkView:
    trial = running.trial
    if trial is None:
        threshold = None if running.kind is SliceKind.INITIAL else running.threshold
        return WorkView(_NAMES[running.kind], running.nodes, running.since, threshold)
    if trial.kind is TrialKind.AIMED:
        return WorkView(
            trial.kind, running.nodes, running.since, running.threshold, width=trial.width
        )
    segment = pending_trial if pending_trial is not None and pending_trial.count else None
    beam = pending_trial if trial.window_length is None else None
    return WorkView(
        trial.kind,
        running.nodes,
        running.since,
        expected_s=None if beam is None else beam.expected_s,
        width=trial.width,
        view=None if beam is None else beam.view,
        first=None if segment is None else segment.first,
        count=None if segment is None else segment.count,
        length=trial.window_length,
    )
