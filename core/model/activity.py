"""What workers are doing for a job at the moment, and what they have tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from tilework.core.model.farm.estimate import (
    Remaining,
    node_rate,
    remaining_nodes,
    remaining_threshold_nodes,
)
from tilework.core.model.farm.solves import Solve
from tilework.core.model.jobs import Job, read_effort, read_progress
from tilework.core.model.states import Queue, SliceKind
from tilework.core.model.views import Seconds, View
from tilework.core.puzzle.canonical import Transform
from tilework.core.solver.pdb.builds import BuildProgress
from tilework.core.solver.trial import Improvement, PendingTrial, Trial, TrialKind, TrialStatistics

_NAMES = {SliceKind.INITIAL: "initial", SliceKind.SEARCH: "proof", SliceKind.CHECK: "check"}

_Kind = Annotated[
    str,
    Field(
        description="`sweep`: a quick improvement by long paths of the blank. `beam`: a beam "
        "search over the whole board. `fresh`: a beam search whose solution is then improved "
        "separately. `suffix`: a beam search from a board along the best solution. `windows`: a "
        "search for shortcuts within windows of a segment of the best solution.",
        examples=["windows"],
    ),
]
_SymmetricView = Annotated[
    int | None,
    Field(
        description="For `beam` and `fresh`: which symmetric view of the board is searched. 0 is "
        "the board as given."
    ),
]
_First = Annotated[
    int | None,
    Field(
        description="For windows: the first move of the segment. null once another solution is "
        "the best."
    ),
]
_Count = Annotated[
    int | None, Field(description="For windows: the number of moves in the segment.")
]
_Length = Annotated[
    int | None, Field(description="For windows: the number of moves in each window.")
]


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


class WorkView(View):
    """What one worker is doing."""

    kind: str = Field(
        description="`initial`: the initial search. `proof`: the search of a part of the "
        "threshold's tree. `check`: a check of a threshold's record. `aimed`: a beam search for "
        "solutions of the threshold's length. Others: a trial, as in trials.pending.",
        examples=["beam"],
    )
    nodes: int = Field(description="The nodes searched so far, as of its last report.")
    since: Seconds = Field(description="The time at which it started.")
    threshold: int | None = Field(
        default=None, description="The length up to which solutions are being searched for."
    )
    expected_s: float | None = Field(
        default=None,
        description="For a beam search: its expected duration, based on that of the last one.",
        examples=[42.0],
    )
    width: int | None = Field(
        default=None, description="For a beam search: the number of boards per level."
    )
    view: _SymmetricView = None
    first: _First = None
    count: _Count = None
    length: _Length = None


class TrialView(View):
    """An attempt to find a shorter solution that is running or waiting for a worker."""

    slice_id: str = Field(exclude=True)
    kind: _Kind
    width: int = Field(description="The number of boards kept per level.", examples=[1000])
    view: _SymmetricView = None
    first: _First = None
    count: _Count = None
    length: _Length = None
    expected_s: float | None = Field(default=None, exclude=True)


class TrialStatisticsView(View):
    """The cost and the gain of one kind of trial on this board."""

    kind: _Kind
    length: _Length
    trials: int
    seconds: float = Field(
        description="Worker time: the time of the trials, summed over all workers."
    )
    gained: int = Field(description="The number of moves saved in the best solution.")


class TrialsView(View):
    """The search for shorter solutions of a large board."""

    ended: int = Field(description="The number of trials that ended, including those of others.")
    pending: tuple[TrialView, ...]
    statistics: tuple[TrialStatisticsView, ...] = Field(
        description="By kind, in the order of their first trials."
    )
    improved_at: Seconds | None = Field(description="The time of the last improvement.")


class ActivityView(View):
    """What the workers are doing for a job. They report about every two seconds."""

    nodes: int = Field(
        description="The number of nodes searched so far, including unfinished work."
    )
    nodes_per_s: float = Field(
        description="Nodes per second of all workers: over the last few seconds while the job is "
        "running, or over the whole search once it has ended.",
        examples=[118_400_000.0],
    )
    threshold: int | None = Field(
        description="The length up to which solutions are being searched for. null before the "
        "search by thresholds starts.",
        examples=[97],
    )
    progress: float = Field(
        description="The fraction of the current threshold's tree that has been searched.",
        examples=[0.37],
    )
    seconds_left: float | None = Field(
        default=None,
        description="The estimated time until the optimum is proved, at the current rate. null if "
        "no useful estimate exists.",
        examples=[240.0],
    )
    seconds_left_factor: float | None = Field(
        default=None,
        description="The margin of seconds_left: the actual time is expected between seconds_left "
        "divided by this factor and seconds_left multiplied by it.",
        examples=[2.1],
    )
    threshold_seconds_left: float | None = Field(
        default=None,
        description="The estimated time until the current threshold is finished, if it contains no "
        "solution. null if no useful estimate exists.",
        examples=[95.0],
    )
    threshold_seconds_left_factor: float | None = Field(
        default=None,
        description="The margin of threshold_seconds_left, as in seconds_left_factor.",
        examples=[1.6],
    )
    engine: str | None = Field(
        description="How A* or IDA* searched last: the size of the board, the heuristic, and the "
        "duplicate rules of IDA*. The heuristic is `lines` for linear conflicts, `manhattan`, or "
        "the patterns of its databases.",
        examples=["5x5 6-6-6-6+ r14"],
    )
    queue: Queue
    queue_position: int | None = Field(
        description="The number of pieces of work that are searched first, at most 1,000. null if "
        "the job does not wait."
    )
    preparing_s: float | None = Field(
        description="The approximate number of seconds until the workers have compiled their "
        "search code. The job's time limit starts then. null once they are ready.",
        examples=[12.0],
    )
    building: BuildProgress | None = Field(
        description="A better pattern database for this size that is being built, and the fraction "
        "already built, from 0 to 1. The search uses it as soon as it is ready."
    )
    trials: TrialsView | None = Field(
        description="For boards of 25 cells or more: the search for shorter solutions."
    )
    work: tuple[WorkView, ...] = Field(description="One entry for each worker.")


def activity_view(
    job: Job,
    solve: Solve | None,
    running: Sequence[RunningSlice],
    now: float,
    *,
    queue_position: int | None = None,
    ready_at: float | None = None,
    building: BuildProgress | None = None,
) -> ActivityView:
    """Return the activity for a job.

    ``ready_at``: when the workers will be ready, if they are not.
    """
    effort = read_effort(job, solve)
    estimates: dict[str, float] = {}
    per_s = 0.0
    if job.finished:
        per_s = effort.nodes / effort.wall_s if effort.wall_s else 0.0
    elif solve is not None and solve.recent_s:
        per_s = node_rate(solve.recent_nodes, solve.recent_s, solve.rate_at, now)
        estimates = _time_left(solve, per_s) if per_s else {}
    trials = None
    if solve is not None and solve.improvement.opened:
        is_reversed = Transform.from_text(job.transform).reverse
        # Once the job has ended, trials are made for other jobs with the same board.
        trials = _trials_view(
            solve.improvement,
            None if not is_reversed else solve.upper_bound,
            are_shown=not job.finished,
        )
    pending = {} if trials is None else {trial.slice_id: trial for trial in trials.pending}
    return ActivityView(
        nodes=effort.nodes,
        nodes_per_s=per_s,
        threshold=effort.threshold,
        progress=read_progress(job, effort),
        engine=effort.engine,
        queue=job.queue,
        queue_position=queue_position,
        preparing_s=None if job.finished or ready_at is None else max(1.0, ready_at - now),
        building=building,
        trials=trials,
        work=tuple(_work_view(slice_, pending.get(slice_.id)) for slice_ in running),
        **estimates,
    )


def _time_left(solve: Solve, per_s: float) -> dict[str, float]:
    estimates: dict[str, float] = {}

    def add(name: str, remaining: Remaining | None) -> None:
        if remaining is not None:
            estimates[name] = remaining.nodes / per_s
            estimates[f"{name}_factor"] = remaining.factor

    add("seconds_left", remaining_nodes(solve.iterations, solve.covered, solve.upper_bound))
    add("threshold_seconds_left", remaining_threshold_nodes(solve.iterations, solve.covered))
    return estimates


def _trials_view(state: Improvement, reversed_from: int | None, *, are_shown: bool) -> TrialsView:
    """Return a view of the trials, with those that are pending if these are shown.

    ``reversed_from``: the number of moves if the given board is solved by the canonical solution
        backwards.
    """
    return TrialsView(
        ended=sum(statistics.trials for _, statistics in state.statistics),
        pending=tuple(_trial_view(trial, reversed_from) for trial in state.pending_trials)
        if are_shown
        else (),
        statistics=tuple(_statistics_view(*kind) for kind in state.statistics),
        improved_at=state.improved_at,
    )


def _trial_view(pending_trial: PendingTrial, reversed_from: int | None) -> TrialView:
    trial, first = pending_trial.trial, pending_trial.first
    if trial.window_length is None:
        has_view = trial.kind in (TrialKind.BEAM, TrialKind.FRESH)
        return TrialView(
            slice_id=pending_trial.slice_id,
            kind=trial.kind,
            width=trial.width,
            view=trial.view if has_view else None,
            expected_s=trial.expected_s,
        )
    if reversed_from is not None and pending_trial.count:
        first = reversed_from - pending_trial.end
    return TrialView(
        slice_id=pending_trial.slice_id,
        kind=trial.kind,
        width=trial.width,
        first=first,
        count=pending_trial.count,
        length=trial.window_length,
    )


def _statistics_view(name: str, statistics: TrialStatistics) -> TrialStatisticsView:
    kind, _, length = name.partition(" ")
    return TrialStatisticsView(
        kind=kind,
        length=int(length) if length else None,
        trials=statistics.trials,
        seconds=statistics.seconds,
        gained=statistics.gained,
    )


def _work_view(running: RunningSlice, pending_trial: TrialView | None) -> WorkView:
    trial = running.trial
    if trial is None:
        is_initial = running.kind is SliceKind.INITIAL
        return WorkView(
            kind=_NAMES[running.kind],
            nodes=running.nodes,
            since=running.since,
            threshold=None if is_initial else running.threshold,
        )
    is_aimed = trial.kind is TrialKind.AIMED
    # An aimed beam belongs to the proof, so it is not among the pending trials.
    shown = None if is_aimed else pending_trial
    segment = shown if shown is not None and shown.count else None
    beam = shown if trial.window_length is None else None
    return WorkView(
        kind=trial.kind,
        nodes=running.nodes,
        since=running.since,
        threshold=running.threshold if is_aimed else None,
        expected_s=None if beam is None else beam.expected_s,
        width=trial.width,
        view=None if beam is None else beam.view,
        first=None if segment is None else segment.first,
        count=None if segment is None else segment.count,
        length=None if is_aimed else trial.window_length,
    )
