"""Handlers of trials, which look for a shorter solution. Any number can run in parallel.

From 25 cells on, one trial follows another as long as a job waits. Boards of 17 to 36 cells also
have beams aimed at the lengths of their thresholds. A search that is about to close the gap gets
all workers.
"""

from __future__ import annotations

import zlib
from dataclasses import replace

from tilework.core.model.farm.changes import SliceAction, WorkGroup
from tilework.core.model.farm.solves import Iteration, Slice, Solve
from tilework.core.model.farm.workload import TRIAL_MEMORY_BYTES, FarmState
from tilework.core.model.ids import new_id
from tilework.core.model.jobs import QUARANTINED
from tilework.core.model.states import JobState, SliceKind, SliceState, SolveState
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.events import TrialEnded, WorkersIdle
from tilework.core.solver.costs import BEAM_SHARE
from tilework.core.solver.trial import Improvement, Trial, TrialKind
from tilework.core.solver.trial_schedule import Context, after_trial, next_trial

# An error counts more than an expired lease, because the worker may have been stopped from outside.
ERROR_WEIGHT = 3
CRASH_WEIGHT = 1
MAX_FAILURES = 12

# Planned seconds of windows, also per trial under way, to limit the commits per solve.
WINDOW_S = 1.0
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

# Each threshold takes at least this many times as long as the previous one.
MIN_GROWTH = 2.0

# Typical growth in nodes from one threshold to the next on boards of 24 tiles, and its upper limit.
TYPICAL_GROWTH, MAX_GROWTH = 7.0, 10.0

# Moves by which a threshold raises the lower bound.
_STEP = 2

# The minimum time of a threshold (seconds).
_MIN_S = 1.0

_UNKNOWN = FarmState()


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
    is_crowded = 0 < event.farm.workers <= len(builder.solve.improvement.pending_trials)
    if pending_trial is not None and not is_crowded and _needs_trials(builder):
        add_trial(builder, slice_.priority, event.farm, cost_s=event.seconds)


def on_workers_idle(builder: DecisionBuilder, event: WorkersIdle) -> None:
    builder.end_slice(event.slice, SliceAction.KEEP)
    waiting = sum(group.slices for group in builder.trials() if group.state is SliceState.READY)
    slice_ = event.slice
    group = WorkGroup(slice_.kind, SliceState.LEASED, slice_.config, 1, None, builder.now)
    builder.work.append(group)
    for _ in range(event.count - waiting):
        if not (_needs_trials(builder) and add_trial(builder, slice_.priority, event.farm)):
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
        if _needs_trials(builder):
            add_trial(builder, slice_.priority)
        return
    _set_improvement(builder, replace(state, failures=0))
    for job in list(builder.jobs):
        if builder.uses_trials(job) and not builder.uses_thresholds(job):
            builder.end_job(job, JobState.BOUNDED, QUARANTINED)
    builder.update_state()


def add_trial(
    builder: DecisionBuilder,
    priority: float,
    farm: FarmState = _UNKNOWN,
    *,
    cost_s: float | None = None,
) -> bool:
    """Add the next trial; return whether one was added.

    No trial is added if the search is about to close the gap, because it would occupy a worker of
    the search for seconds.

    ``priority``: the priority of the slice that it follows.
    ``farm``: the state of the farm, of which the trial gets a share.
    ``cost_s``: expected duration, for which the client is charged.
    """
    solve = builder.solve
    seconds_left = _seconds_left(builder)
    if is_within_reach(solve, min(farm.fair_workers() * seconds_left, REACH_S)):
        return False
    state = solve.improvement
    if not builder.trials():
        # No trials are stored, so none is under way.
        state = replace(state, pending_trials=())
    context = Context(
        size=solve.size,
        lower=solve.lower_bound,
        moves=solve.upper_bound or 1,
        seconds_left=farm.pace() * seconds_left,
        beam_share=BEAM_SHARE if farm.pace() > CROWDED_PACE else CROWDED_BEAM_SHARE,
        window_s=max(WINDOW_S, SLICE_S_PER_TRIAL * len(state.pending_trials)),
        memory_bytes=TRIAL_MEMORY_BYTES,
        workers=max(1, farm.workers),
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
    slice_ = builder.new_slice(SliceKind.IMPROVE, trial.to_bytes(), priority, slice_id=slice_id)
    builder.add_slices([slice_], cost_s, wait_s)
    return True


def add_trial_if_none(builder: DecisionBuilder, priority: float, cost_s: float) -> None:
    """Add a trial if there is none, because the search may take longer than expected."""
    state = builder.solve.improvement
    has_trial = state.pending_trials and builder.trials()
    if state.opened and not has_trial and _needs_trials(builder):
        add_trial(builder, priority, cost_s=cost_s)


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


def min_threshold_s(solve: Solve) -> float:
    """Return the minimum worker seconds that the current threshold will take."""
    return MIN_GROWTH * solve.iterations[-2].seconds if len(solve.iterations) > 1 else 0.0


def likely_nodes(solve: Solve) -> int:
    """Return the expected number of nodes of the current threshold."""
    *_, before, last, _ = (Iteration(0), Iteration(0), Iteration(0), *solve.iterations)
    growth = last.nodes / before.nodes if before.nodes else TYPICAL_GROWTH
    return int(min(max(growth, MIN_GROWTH), MAX_GROWTH) * last.nodes)


def proof_rate(solve: Solve) -> float | None:
    """Return how many moves per second thresholds add to the lower bound; None without a search."""
    if solve.threshold is None:
        return None
    current_s = solve.iterations[-1].seconds if solve.iterations else 0.0
    return _STEP / max(_MIN_S, min_threshold_s(solve), current_s)


def is_within_reach(solve: Solve, seconds: float) -> bool:
    """Whether the search is likely to close the gap within this many worker seconds.

    Assumes the usual growth per threshold. False until one threshold is finished.
    """
    if len(solve.iterations) < 2 or solve.upper_bound is None:
        return False
    current = solve.iterations[-1]
    threshold_s = max(current.seconds, TYPICAL_GROWTH / MIN_GROWTH * min_threshold_s(solve))
    for _ in range(current.threshold + _STEP, solve.upper_bound, _STEP):
        if threshold_s > seconds:
            break
        threshold_s *= TYPICAL_GROWTH
    return threshold_s <= seconds
