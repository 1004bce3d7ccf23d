"""Handlers of slices of searches that run, end or fail.

The initial search of a config follows its strategy, up to the first threshold worth sharing; one
for few slides is a single slice from beginning to end. A bound is proven once the record of its
threshold has passed its check.

An attempt is counted before it starts; an expired lease means that a worker died or hung. A slice
that keeps failing is split once, to isolate the part that fails, and then quarantined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilework.core.errors import DamagedSolveError
from tilework.core.messages import Message
from tilework.core.model.farm.changes import SliceAction, WorkGroup
from tilework.core.model.farm.estimate import add_effort, add_slice, begin_threshold
from tilework.core.model.farm.solves import Iteration, Slice, SliceResult
from tilework.core.model.farm.workload import max_parts
from tilework.core.model.ids import new_id
from tilework.core.model.jobs import QUARANTINED, Job
from tilework.core.model.states import JobState, Queue, SliceKind, SliceState, SolveState
from tilework.core.puzzle.metric import Metric
from tilework.core.search.limits import StopReason
from tilework.core.services.farm.state_machine.client_events import add_initial_search, supply_work
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.events import (
    BoundsImproved,
    InitialSearchEnded,
    LeaseLost,
    ProofChecked,
    SearchSliceEnded,
    SliceFailed,
    SliceRunning,
    SliceSplit,
)
from tilework.core.services.farm.state_machine.trial_events import (
    CRASH_WEIGHT,
    ERROR_WEIGHT,
    add_trial_if_none,
    likely_nodes,
    min_threshold_s,
    on_trial_failed,
)
from tilework.core.solver.result import SearchResult, SlidesResult, WorkUnit
from tilework.core.solver.strategy import MIN_ORDERED_NODES, choose_aimed_width, uses_aimed_beams
from tilework.core.solver.target import Algorithm
from tilework.core.solver.trial import Trial, TrialKind

# Leases that may expire before a slice is split; each half gets one attempt.
MAX_EXPIRIES = 3

# A slice that reports an error is tried again only if this was its first attempt.
MAX_ATTEMPTS_WITH_ERRORS = 2


def on_slice_running(builder: DecisionBuilder, event: SliceRunning) -> None:
    """Change the state of the jobs that a slice serves to running."""
    slice_ = event.slice
    builder.end_slice(slice_, SliceAction.KEEP, result=SliceResult(event.effort.generated))
    job_ids = [
        job.id
        for job in builder.jobs
        if job.state is JobState.QUEUED
        and (
            job.config == slice_.config
            if slice_.kind is SliceKind.INITIAL
            else builder.uses_thresholds(job) or builder.uses_trials(job)
        )
    ]
    builder.changes.started_jobs = tuple(job_ids)
    builder.changes.started_at = event.started_at


def on_bounds_improved(builder: DecisionBuilder, event: BoundsImproved) -> None:
    """Improve the bounds while an initial search continues."""
    result = event.result
    builder.end_slice(event.slice, SliceAction.KEEP, result=SliceResult(event.effort.generated))
    if builder.solve.metric is Metric.SLIDES:
        _take_result(builder, replace(result, lower_bound=0))
        # The search's end stores the record of its bound, so this bound may not settle the solve.
        upper = builder.solve.upper_bound
        lower = result.lower_bound if upper is None else min(result.lower_bound, upper - 1)
        if lower > builder.solve.lower_bound:
            builder.solve = replace(builder.solve.with_bounds(lower, None), iterations=())
    else:
        _take_result(builder, result)
    if builder.solve.bounds != builder.before.bounds:
        builder.end_jobs(event.started_at)


def on_initial_search_ended(builder: DecisionBuilder, event: InitialSearchEnded) -> None:
    """End an initial search, and plan the next step if the gap is still open.

    A search for few slides that took too long restarts as a long search.
    """
    slice_, result = event.slice, event.result
    builder.end_slice(slice_, SliceAction.DELETE)
    if slice_.queue is Queue.SEARCH:
        builder.changes.charged_s = event.seconds
    _take_result(builder, result)
    took_too_long = False
    if isinstance(result, SlidesResult):
        took_too_long = result.stopped_by is StopReason.TIME and slice_.queue is not Queue.SEARCH
        if result.lower_bound >= builder.before.lower_bound:
            # The record of an earlier search does not prove a better bound.
            record = tuple(Iteration(*threshold[:3]) for threshold in result.thresholds)
            builder.solve = replace(builder.solve, iterations=record)
    is_met = slice_.target.is_met_by(*builder.solve.bounds)
    is_cut_short = is_met or took_too_long or result.stopped_by is StopReason.CANCELLED
    has_trials = builder.uses_trials(slice_) and result.moves is not None
    if has_trials:
        improvement = replace(builder.solve.improvement, opened=True)
        builder.solve = replace(builder.solve, improvement=improvement)
    if not is_cut_short and event.threshold is None and not has_trials:
        # An initial search that reached its time limit is exhausted as well.
        builder.solve = replace(builder.solve, tried=builder.solve.tried | {slice_.config})
    builder.end_jobs(event.started_at)
    waiting = [job for job in builder.jobs if job.config == slice_.config]
    if builder.solve.state is not SolveState.ACTIVE or not waiting:
        return
    if is_cut_short and not has_trials:
        # It was stopped before this job was submitted, or this job has a stricter target.
        if builder.groups_for(slice_.config):
            return
        queue, cost_s = (Queue.SEARCH, event.seconds) if took_too_long else (slice_.queue, None)
        add_initial_search(builder, waiting[0], builder.now, queue, cost_s=cost_s)
        if took_too_long:
            _move_to_search(builder, waiting, event.started_at)
        return
    if event.threshold is not None and not builder.groups_for(None):
        # Slices of an earlier search of this threshold would be mixed with those of the new one.
        builder.delete_from(max(builder.solve.lower_bound, event.threshold))
        _add_first_threshold(builder, event, event.threshold)
    add_trial_if_none(builder, slice_.priority, event.seconds)
    if event.threshold is not None or has_trials:
        supply_work(builder, waiting, builder.now)
        # The first estimate may already close the gap.
        builder.end_jobs(event.started_at, quarantined=True)
        _move_to_search(builder, [job for job in builder.jobs if job in waiting], event.started_at)


def _take_result(builder: DecisionBuilder, result: SearchResult) -> None:
    builder.improve_bounds(result.lower_bound, result.moves, result.algorithm)
    engine = result.engine or builder.solve.engine
    builder.solve = replace(builder.solve, engine=engine)


def _move_to_search(builder: DecisionBuilder, jobs: Sequence[Job], started_at: float) -> None:
    """Move running jobs to the queue of long searches."""
    builder.changes.moved_jobs = tuple(job.id for job in jobs)
    builder.changes.started_at = started_at


def _add_first_threshold(
    builder: DecisionBuilder, event: InitialSearchEnded, threshold: int
) -> None:
    """Start the search of the first threshold, unless the bounds already meet."""
    builder.improve_bounds(threshold, None, Algorithm.IDA_STAR)
    if builder.solve.settled:
        return
    builder.solve = begin_threshold(builder.solve, builder.solve.lower_bound)
    _add_aimed_beam(builder, event.slice.priority)
    root = _search_slice(builder, event.root, event.slice.priority)
    builder.add_slices([root], event.seconds)


def on_search_slice_ended(builder: DecisionBuilder, event: SearchSliceEnded) -> None:
    """End a slice of search: add its next threshold and its remainder."""
    slice_, outcome = event.slice, event.outcome
    before = builder.solve
    result = SliceResult(outcome.nodes, outcome.next_threshold, outcome.engine, event.seconds)
    builder.end_slice(slice_, SliceAction.FINISH, result=result)
    builder.improve_bounds(0, outcome.moves, Algorithm.IDA_STAR)
    remaining = sum(unit.share for unit in outcome.remaining)
    # Not less because of rounding: it was shown.
    covered = min(1.0, before.covered + max(0.0, slice_.share - remaining))
    since = builder.working_since(event.seconds)
    after = add_effort(builder.solve, outcome.nodes, since, builder.now)
    builder.solve = replace(
        add_slice(after, slice_.threshold, result, covered),
        next_threshold=_min_or_none(before.next_threshold, outcome.next_threshold),
    )
    is_complete = has_ended = False
    if not outcome.remaining:
        has_ended = all(group.state is SliceState.QUARANTINED for group in builder.parts())
        is_complete = has_ended and outcome.moves is None and not builder.parts()
    if is_complete and builder.solve.pending > 0 and slice_.threshold == before.threshold:
        # Slices that never ran are missing.
        raise DamagedSolveError(builder.solve.id)
    if is_complete:
        bound = builder.solve.next_threshold or slice_.threshold + 1
        _add_check(builder, slice_, bound)
        if builder.solve.upper_bound is None or bound < builder.solve.upper_bound:
            builder.solve = begin_threshold(builder.solve, bound)
    if has_ended or builder.solve.bounds != before.bounds:
        # Once a path is found, the other parts of the tree are not needed.
        is_tree_done = has_ended or outcome.moves is not None
        builder.end_jobs(quarantined=is_tree_done and not is_complete)
    if builder.solve.settled:
        return
    if outcome.remaining:
        slices = [
            _search_slice(builder, unit, slice_.priority, slice_.id) for unit in outcome.remaining
        ]
        _add_slices(builder, slices, event.seconds)
    elif not is_complete:
        # Parts of the tree may have been parked when an earlier job ended.
        _supply_thresholds(builder, slice_.priority, event.seconds)
    elif builder.solve.threshold != slice_.threshold:
        # Otherwise a solution of the next length is already known.
        _add_aimed_beam(builder, slice_.priority)
        _add_slices(builder, _threshold_slices(builder, event), event.seconds)
    add_trial_if_none(builder, slice_.priority, event.seconds)


def on_proof_checked(builder: DecisionBuilder, event: ProofChecked) -> None:
    """Raise the lower bound, or search the threshold again."""
    slice_, upper = event.slice, builder.solve.upper_bound
    if event.bound is None:
        builder.end_slice(slice_, SliceAction.RETURN, state=_proof_state(builder))
        return
    builder.end_slice(slice_, SliceAction.DELETE)
    if event.error is None and (upper is None or event.bound <= upper):
        builder.improve_bounds(event.bound, None, Algorithm.IDA_STAR)
    elif builder.solve.lower_bound <= slice_.threshold:
        # A known solution makes the threshold of its own length unnecessary.
        restart_at = slice_.threshold if upper is None else min(slice_.threshold, upper - 2)
        _restart_threshold(builder, restart_at, event.root, slice_.priority)
    builder.end_jobs()
    if not builder.solve.settled:
        _supply_thresholds(builder, slice_.priority, event.seconds)


def _supply_thresholds(builder: DecisionBuilder, priority: float, seconds: float) -> None:
    jobs = filter(builder.uses_thresholds, builder.jobs)
    supply_work(builder, jobs, priority, cost_s=seconds)


def _restart_threshold(
    builder: DecisionBuilder, threshold: int, root: WorkUnit, priority: float
) -> None:
    """Search a threshold from its root again; delete the slices of this and higher thresholds."""
    builder.delete_from(threshold)
    builder.drop_groups(builder.parts())
    builder.solve = begin_threshold(builder.solve, threshold)
    _add_slices(builder, [_search_slice(builder, root, priority)], None)


def _add_check(builder: DecisionBuilder, slice_: Slice, bound: int) -> None:
    """Add a check of a threshold's record, which is required to prove its bound."""
    cursor, threshold = str(bound).encode(), slice_.threshold
    check = builder.new_slice(SliceKind.CHECK, cursor, slice_.priority, threshold=threshold)
    # The next worker runs the check. It takes a fiftieth of the search and is not charged.
    _add_slices(builder, [check], 0.0)


def _threshold_slices(builder: DecisionBuilder, event: SearchSliceEnded) -> list[Slice]:
    solve, slice_ = builder.solve, event.slice
    # The worker that claims the root of a long threshold first orders the tree, then shares it.
    is_ordered = likely_nodes(solve) >= MIN_ORDERED_NODES * max(1, event.workers)
    parts = 1 if is_ordered else min(1 + event.missing_parts, max_parts(min_threshold_s(solve)))
    units = event.tree(parts)
    if len(units) == 1:
        return [_search_slice(builder, units[0], slice_.priority)]
    # The root is part of the proof, recorded as a slice that was only split.
    root = _search_slice(builder, event.tree(1)[0], slice_.priority)
    builder.changes.split_roots.append(root)
    return [_search_slice(builder, part, slice_.priority, root.id) for part in units]


def _add_slices(builder: DecisionBuilder, slices: Sequence[Slice], cost_s: float | None) -> None:
    if slices:
        state = _proof_state(builder)
        builder.add_slices([replace(slice_, state=state) for slice_ in slices], cost_s)


def _proof_state(builder: DecisionBuilder) -> SliceState:
    """Return the state of waiting search slices and checks: parked if no job needs a proof."""
    is_needed = any(map(builder.uses_thresholds, builder.jobs))
    return SliceState.READY if is_needed else SliceState.PARKED


def _add_aimed_beam(builder: DecisionBuilder, priority: float) -> None:
    """Add a beam aimed at the length of the current threshold, if it is cheap in comparison.

    The beam ignores longer solutions, which saves more than half of the nodes. A solution that it
    finds makes the threshold unnecessary, so it is next in the client's turn: one worker runs it
    before the threshold, as a search in one process does, and several run it alongside. It proves
    nothing, so no bound waits for it.
    """
    solve = builder.solve
    length = solve.threshold or 0
    is_active = solve.state is SolveState.ACTIVE and uses_aimed_beams(solve.cells)
    width = choose_aimed_width(solve.nodes, length)
    if not is_active or width is None or not builder.has_auto_job():
        return
    cursor = Trial(TrialKind.AIMED, width=width).to_bytes()
    # With this threshold, it is deleted together with that threshold.
    beam = builder.new_slice(SliceKind.IMPROVE, cursor, priority, threshold=length)
    builder.add_slices([beam], 0.0)


def _search_slice(
    builder: DecisionBuilder, unit: WorkUnit, priority: float, parent_id: str | None = None
) -> Slice:
    return builder.new_slice(
        SliceKind.SEARCH,
        unit.cursor,
        priority,
        threshold=builder.solve.threshold or 0,
        share=unit.share,
        parent_id=parent_id,
    )


def _min_or_none(first: int | None, second: int | None) -> int | None:
    return min((value for value in (first, second) if value is not None), default=None)


def must_split(slice_: Slice) -> bool:
    """Whether a slice must be split before the next attempt."""
    return slice_.kind is SliceKind.SEARCH and slice_.expiries == MAX_EXPIRIES


def on_lease_lost(builder: DecisionBuilder, event: LeaseLost) -> None:
    """Requeue a slice whose lease expired, or quarantine it."""
    slice_ = event.slice
    if slice_.kind is SliceKind.IMPROVE:
        on_trial_failed(builder, slice_, CRASH_WEIGHT, expired=True)
        return
    max_expiries = MAX_EXPIRIES if slice_.kind is SliceKind.SEARCH else MAX_EXPIRIES - 1
    if slice_.expiries + 1 > max_expiries:
        _return(builder, slice_, QUARANTINED, quarantined=True, expired=True)
    else:
        _return(builder, slice_, expired=True)


def on_slice_failed(builder: DecisionBuilder, event: SliceFailed) -> None:
    """Requeue a slice whose work raised an exception, or quarantine it."""
    slice_ = event.slice
    if slice_.kind is SliceKind.IMPROVE:
        on_trial_failed(builder, slice_, ERROR_WEIGHT)
    else:
        is_last = slice_.attempts >= MAX_ATTEMPTS_WITH_ERRORS
        _return(builder, slice_, event.message, quarantined=is_last)


def on_slice_split(builder: DecisionBuilder, event: SliceSplit) -> None:
    """Replace a slice with its halves, or quarantine it if it cannot be split."""
    slice_, halves = event.slice, event.halves
    if halves is None:
        _return(builder, slice_, QUARANTINED, quarantined=True)
        return
    builder.end_slice(slice_, SliceAction.FINISH, result=SliceResult())
    state = _proof_state(builder)
    builder.add_slices(
        [
            replace(
                slice_,
                id=new_id(),
                parent_id=slice_.id,
                state=state,
                cursor=half.cursor,
                share=half.share,
                attempts=0,
                # Another expired lease exceeds the limit.
                expiries=MAX_EXPIRIES + 1,
                owner=None,
            )
            for half in halves
        ]
    )
    solve = builder.solve
    covered = solve.covered + max(0.0, slice_.share - sum(half.share for half in halves))
    builder.solve = replace(solve, covered=covered)


def _return(
    builder: DecisionBuilder,
    slice_: Slice,
    message: Message | None = None,
    *,
    quarantined: bool = False,
    expired: bool = False,
) -> None:
    """Let a slice wait again, or quarantine it; delete it if no job needs it."""
    is_initial = slice_.kind is SliceKind.INITIAL
    if is_initial and all(job.config != slice_.config for job in builder.jobs):
        builder.end_slice(slice_, SliceAction.DELETE, expired=expired)
        return
    state = SliceState.READY if is_initial else _proof_state(builder)
    if quarantined:
        state = SliceState.QUARANTINED
    builder.end_slice(slice_, SliceAction.RETURN, state=state, expired=expired, message=message)
    if quarantined:
        builder.work.append(WorkGroup(slice_.kind, state, slice_.config, 1, message, builder.now))
        builder.end_jobs(quarantined=True)
