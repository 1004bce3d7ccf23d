"""Handlers of trials, which look for a shorter solution. Any number can run in parallel.

From 25 cells on, one trial follows another as long as a job waits. Boards of 17 to 36 cells also
have beams aimed at the lengths of their thresholds.
"""

from __future__ import annotations

import zlib
from dataclasses import replace

from tilework.core.model.farm.changes import SliceAction, WorkGroup
from tilework.core.model.farm.solves import SearchConfig, Slice, Solve
from tilework.core.model.farm.workload import TRIAL_MEMORY_BYTES
from tilework.core.model.ids import new_id
from tilework.core.model.states import JobState, Queue, SliceKind, SliceState, SolveState
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.events import ALL, Share, TrialEnded, WorkersIdle
from tilework.core.services.farm.state_machine.proof_pace import is_within_reach, proof_rate
from tilework.core.solver.costs import BEAM_SHARE
from tilework.core.solver.target import Algorithm, Heuristic, Target
from tilework.core.solver.trial import Trial, TrialKind
from tilework.core.solver.trials.improvement import Improvement
from tilework.core.solver.trials.schedule import Context, after_trial, next_trial

# An error counts more than an expired lease, because the worker may have been stopped from outside.
ERROR_WEIGHT = 3
CRASH_WEIGHT = 1
MAX_FAILURES = 12

# Planned seconds of a trial, per trial under way, to limit the commits per solve.
SLICE_S_PER_TRIAL = 0.02

# Seconds until the result of a trial is stored, before the deadline.
STORE_S = 0.3

# Share of the workers' time for trials alongside a proof: neither side is starved.
MIN_SHARE, MAX_SHARE = 0.1, 0.9

# If the search is likely to close the gap within this many seconds, it gets all workers.
REACH_S = 900.0

# If many solves compete for the workers, trials are short, so that all solves progress evenly.
CROWDED_PACE = 0.5
CROWDED_BEAM_SHARE = 0.3

_AUTO = SearchConfig(Algorithm.AUTO, Heuristic.AUTO)


def on_trial_ended(builder: DecisionBuilder, event: TrialEnded) -> None:
    """End a trial: a shorter solution may end the solve; otherwise the next trial follows."""
    slice_, outcome = event.slice, event.outcome
    builder.end_slice(slice_, SliceAction.DELETE)
    trial = Trial.from_bytes(slice_.cursor)
    pending_trial = builder.solve.improvement.find(slice_.id)
    if outcome.moves is not None:
        if trial.kind is not TrialKind.WINDOWS:
            builder.improve_bounds(0, outcome.moves, trial.kind)
        elif pending_trial is not None and pending_trial.count:
            builder.splice(pending_trial.first, pending_trial.count, outcome.moves, trial.kind)
    gain = (builder.before.upper_bound or 0) - (builder.solve.upper_bound or 0)
    if pending_trial is not None:
        state = after_trial(
            builder.solve.improvement,
            pending_trial,
            outcome,
            builder.solve.size,
            seconds=event.seconds,
            gained=gain,
        )
        _set_improvement(builder, state)
    if gain:
        _set_improvement(builder, replace(builder.solve.improvement, improved_at=builder.now))
        builder.end_jobs()
    is_crowded = 0 < event.share.workers <= len(builder.solve.improvement.pending_trials)
    if pending_trial is not None and not is_crowded:
        _add_next_trial(builder, slice_, event.share, event.seconds)


def on_workers_idle(builder: DecisionBuilder, event: WorkersIdle) -> None:
    builder.end_slice(event.slice, SliceAction.KEEP)
    waiting = sum(group.slices for group in builder.trials() if group.state is SliceState.READY)
    slice_ = event.slice
    group = WorkGroup(slice_.kind, SliceState.LEASED, slice_.config, 1, None, builder.now)
    builder.work.append(group)
    for _ in range(event.count - waiting):
        if not (_needs_trials(builder) and add_trial(builder, slice_.priority, event.share)):
            break


def on_trial_failed(
    builder: DecisionBuilder, slice_: Slice, weight: int, *, expired: bool = False
) -> None:
    """Delete a failed trial and add another one, unless trials keep failing."""
    builder.end_slice(slice_, SliceAction.DELETE, expired=expired)
    state = builder.solve.improvement
    if state.find(slice_.id) is None:
        # A beam aimed at a threshold, or a trial for jobs that have ended.
        return
    state = state.without(slice_.id)
    state = replace(state, failures=state.failures + weight)
    if weight == CRASH_WEIGHT:
        state = state.after_crash()
    if state.failures < MAX_FAILURES:
        _set_improvement(builder, state)
        _add_next_trial(builder, slice_, ALL)
        return
    _set_improvement(builder, replace(state, failures=0))
    for job in list(builder.jobs):
        if builder.uses_trials(job) and not builder.uses_thresholds(job):
            builder.end_job(job, JobState.BOUNDED, builder.quarantine_message)
    builder.update_state()


def add_trial(
    builder: DecisionBuilder, priority: float, share: Share = ALL, *, cost_s: float | None = None
) -> bool:
    """Add the next trial; return whether one was added.

    No trial is added if the search is about to close the gap, because it would occupy a worker of
    the search for seconds.

    ``priority``: the priority of the slice that it follows.
    ``share``: the available share of the farm; unlimited if unknown.
    ``cost_s``: expected duration, for which the client is charged.
    """
    solve = builder.solve
    seconds_left = _seconds_left(builder)
    if is_within_reach(solve, min(share.fair_workers * seconds_left, REACH_S)):
        return False
    state = solve.improvement
    if not builder.trials():
        # No trials are stored, so none is under way.
        state = replace(state, pending_trials=())
    context = Context(
        size=solve.size,
        lower=solve.lower_bound,
        moves=solve.upper_bound or 1,
        seconds_left=share.pace * seconds_left,
        beam_share=BEAM_SHARE if share.pace > CROWDED_PACE else CROWDED_BEAM_SHARE,
        window_s=max(
            builder.settings.search_slice_s, SLICE_S_PER_TRIAL * len(state.pending_trials)
        ),
        memory_bytes=TRIAL_MEMORY_BYTES,
        workers=max(1, share.workers),
        seed=zlib.crc32(solve.key.encode()),
    )
    slice_id = new_id()
    choice = next_trial(state, context, slice_id)
    if choice is None:
        return False
    after, trial = choice
    _set_improvement(builder, after)
    # Delay the trial instead of charging more for it, which would delay the client's search too.
    ratio = _search_per_trial(solve)
    wait_s = None if cost_s is None or ratio is None else ratio * cost_s
    builder.add_slices([trial_slice(solve, slice_id, trial, priority)], cost_s, wait_s)
    return True


def add_trial_if_none(builder: DecisionBuilder, priority: float, cost_s: float) -> None:
    """Add a trial if there is none, because the search may take longer than expected."""
    state = builder.solve.improvement
    has_trial = state.pending_trials and builder.trials()
    if state.opened and not has_trial and _needs_trials(builder):
        add_trial(builder, priority, cost_s=cost_s)


def _add_next_trial(
    builder: DecisionBuilder, slice_: Slice, share: Share, cost_s: float | None = None
) -> None:
    if _needs_trials(builder):
        add_trial(builder, slice_.priority, share, cost_s=cost_s)


def _needs_trials(builder: DecisionBuilder) -> bool:
    return builder.solve.state is SolveState.ACTIVE and any(map(builder.uses_trials, builder.jobs))


def _seconds_left(builder: DecisionBuilder) -> float:
    """Return the seconds until the last deadline of the jobs that trials serve."""
    deadlines = [job.deadline for job in builder.jobs if builder.uses_trials(job)]
    return max(0.0, max(deadlines, default=builder.now) - builder.now - STORE_S)


def _search_per_trial(solve: Solve) -> float | None:
    """Return the seconds of search for each second of trials; None without a search.

    Both close the gap, the search by two moves per threshold. The faster one gets more time.
    """
    proof = proof_rate(solve)
    if proof is None:
        return None
    statistics = [entry for _, entry in solve.improvement.statistics]
    seconds = sum(entry.recent_seconds for entry in statistics)
    recent_gain = sum(entry.recent_gained for entry in statistics)
    # A prior, because trials may not gain anything in the first seconds.
    gain = (1.0 + recent_gain) / (5.0 + seconds)
    share = min(max(gain / (gain + proof), MIN_SHARE), MAX_SHARE)
    return (1.0 - share) / share


def _set_improvement(builder: DecisionBuilder, state: Improvement) -> None:
    builder.solve = replace(builder.solve, improvement=state)


def trial_slice(
    solve: Solve, slice_id: str, trial: Trial, priority: float, threshold: int = 0
) -> Slice:
    """Return the slice of a trial; if aimed at a threshold, it is deleted with that threshold."""
    return Slice(
        id=slice_id,
        solve_id=solve.id,
        epoch=solve.epoch,
        kind=SliceKind.IMPROVE,
        queue=Queue.SEARCH,
        state=SliceState.READY,
        threshold=threshold,
        cursor=trial.to_bytes(),
        config=_AUTO,
        target=Target(),
        share=0.0,
        priority=priority,
    )
