"""Tries at a shorter solution: any number at once, and nothing waits for them.

On large boards one try follows the other for as long as a job asks; smaller ones have a beam aimed
at the threshold after each that starts, which is tried once.
"""

from __future__ import annotations

import zlib
from dataclasses import replace

from tilework.core.model.changes import SliceAction, WorkGroup
from tilework.core.model.estimate import add_effort
from tilework.core.model.improvement import Improvement
from tilework.core.model.solves import SearchConfig, Slice, Solve
from tilework.core.model.states import JobState, Queue, SliceKind, SliceState, SolveState, new_id
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.events import ALL, Share, TrialEnded, WorkersIdle
from tilework.core.services.farm.state_machine.proof_pace import is_in_reach, proof_rate
from tilework.core.services.farm.trial_plan import TrialContext, after_trial, next_trial
from tilework.core.solver.costs import BEAM_SHARE
from tilework.core.solver.target import Algorithm, Heuristic, Target
from tilework.core.solver.trial import Trial, TrialKind

# One that raised counts for more than one whose lease ran out: its worker may have been ended.
ERROR_WEIGHT = 3
CRASH_WEIGHT = 1
MAX_FAILURES = 12

# With more tries under way each takes longer, so that all of one solve's commits fit one after
# the other (seconds a try).
SLICE_S_A_TRY = 0.02

# Of the workers' time, what tries get beside a proof: neither is ever given up.
LEAST_SHARE, MOST_SHARE = 0.1, 0.9

# Where the search is likely to close the gap in so many seconds, it has all workers for itself.
REACH_S = 900.0

# Where many wait for the same workers, tries are short: nobody gets more than another by one.
CROWDED_PACE = 0.5
CROWDED_BEAM_SHARE = 0.3

_AUTO = SearchConfig(Algorithm.AUTO, Heuristic.AUTO)


def on_trial_ended(builder: DecisionBuilder, event: TrialEnded) -> None:
    """End a try: a shorter solution may end the solve with it; else the next try follows."""
    slice_, outcome = event.slice, event.outcome
    builder.end_slice(slice_, SliceAction.DELETE)
    trial = Trial.from_bytes(slice_.cursor)
    done = builder.solve.improvement.find(slice_.id)
    builder.take_bounds(0, None, outcome.algorithm, outcome.nodes, event.seconds)
    if outcome.moves is not None:
        if trial.kind is not TrialKind.WINDOWS:
            builder.take_bounds(0, outcome.moves, outcome.algorithm, 0, 0.0)
        elif done is not None and done.count:
            builder.splice(done.first, done.count, outcome.moves, outcome.algorithm)
    gained = (builder.before.upper_bound or 0) - (builder.solve.upper_bound or 0)
    if builder.solve.threshold is None:
        # Beside a proof the rate is the proof's: the time that it has left is told from it.
        builder.solve = add_effort(builder.solve, outcome.nodes, event.seconds, builder.now)
    if done is not None:
        state = after_trial(
            builder.solve.improvement, done, event.seconds, gained, whole=outcome.complete
        )
        if gained and trial.kind is TrialKind.WINDOWS:
            state = state.with_shorter_segment(done, gained, builder.now)
        _save(builder, state)
    if gained and trial.kind is not TrialKind.WINDOWS:
        _save(builder, builder.solve.improvement.with_new_path(builder.now))
    if gained:
        builder.end_jobs()
    crowded = 0 < event.share.workers <= len(builder.solve.improvement.under_way)
    if done is not None and not crowded:
        _go_on(builder, slice_, event.share, event.seconds)


def on_workers_idle(builder: DecisionBuilder, event: WorkersIdle) -> None:
    """Add tries for workers that have nothing to do."""
    builder.end_slice(event.slice, SliceAction.KEEP)
    waiting = sum(group.slices for group in builder.trials() if group.state is SliceState.READY)
    slice_ = event.slice
    own = WorkGroup(slice_.kind, SliceState.LEASED, slice_.config, 1, None, builder.now)
    builder.work.append(own)
    for _ in range(event.count - waiting):
        if not (_goes_on(builder) and add_trial(builder, slice_.priority, event.share)):
            break


def trial_failed(
    builder: DecisionBuilder, slice_: Slice, trouble: int, *, expired: bool = False
) -> None:
    """Let go of a try that failed: another one follows, unless they fail again and again."""
    builder.end_slice(slice_, SliceAction.DELETE, expired=expired)
    state = builder.solve.improvement
    if state.find(slice_.id) is None:
        # A beam aimed at a threshold, or of jobs that have ended meanwhile.
        return
    state = state.without(slice_.id)
    state = replace(state, failures=state.failures + trouble)
    if trouble == CRASH_WEIGHT:
        state = state.after_crash()
    if state.failures < MAX_FAILURES:
        _save(builder, state)
        _go_on(builder, slice_, ALL)
        return
    _save(builder, replace(state, failures=0))
    for job in list(builder.jobs):
        if builder.is_improved(job) and not builder.is_deepened(job):
            builder.end_job(job, JobState.BOUNDED, builder.quarantine_message)
    builder.tend()


def add_trial(
    builder: DecisionBuilder, priority: float, share: Share = ALL, *, cost_s: float | None = None
) -> bool:
    """Add the next try at a shorter solution; whether there is one.

    There is none beside a search that is about to close the gap: what a try would find is not worth
    its time then, and a worker that makes one is away from the search for seconds.

    ``turn``: of the slice that it follows.
    ``share``: of the farm, as far as is known.
    ``cost_s``: what it is expected to take, by which the client is charged.
    """
    solve = builder.solve
    seconds_left = share.pace * _seconds_left(builder)
    if is_in_reach(solve, min(seconds_left, REACH_S)):
        return False
    state = solve.improvement
    if not builder.trials():
        # What is not there is not under way.
        state = replace(state, under_way=())
    standing = TrialContext(
        size=solve.size,
        moves=solve.upper_bound or 1,
        seconds_left=seconds_left,
        beam_share=BEAM_SHARE if share.pace > CROWDED_PACE else CROWDED_BEAM_SHARE,
        aim_s=max(builder.settings.search_slice_s, SLICE_S_A_TRY * len(state.under_way)),
        memory_bytes=builder.settings.trial_memory_bytes,
        workers=share.workers,
        seed=zlib.crc32(solve.key.encode()),
    )
    slice_id = new_id()
    chosen = next_trial(state, standing, slice_id)
    if chosen is None:
        return False
    after, trial = chosen
    _save(builder, after)
    slice_ = trial_slice(solve, slice_id, trial, priority)
    if cost_s is not None:
        cost_s *= _weight(solve)
    builder.add_slices([slice_], cost_s)
    return True


def resume(builder: DecisionBuilder, priority: float, cost_s: float) -> None:
    """Add a try where there is none: the search may be longer than it seemed."""
    state = builder.solve.improvement
    is_tried = state.under_way and builder.trials()
    if state.opened and not is_tried and _goes_on(builder):
        add_trial(builder, priority, cost_s=cost_s)


def _go_on(
    builder: DecisionBuilder, slice_: Slice, share: Share, cost_s: float | None = None
) -> None:
    if _goes_on(builder):
        add_trial(builder, slice_.priority, share, cost_s=cost_s)


def _goes_on(builder: DecisionBuilder) -> bool:
    return builder.solve.state is SolveState.ACTIVE and any(map(builder.is_improved, builder.jobs))


def _seconds_left(builder: DecisionBuilder) -> float:
    """Return the seconds until the last deadline of those for whom tries are made."""
    deadlines = [job.deadline for job in builder.jobs if builder.is_improved(job)]
    return max(0.0, max(deadlines, default=builder.now) - builder.now)


def _weight(solve: Solve) -> float:
    """Return how much dearer a try is than search: the dearer, the less of the time it gets.

    Both close the gap, the search by two moves a threshold; who closes it faster gets more.
    """
    proof = proof_rate(solve)
    if proof is None:
        return 1.0
    seconds = sum(pay.recent_seconds for _, pay in solve.improvement.statistics)
    gained = sum(pay.recent_gained for _, pay in solve.improvement.statistics)
    # Until it was tried for some seconds, it is taken to gain something.
    gain = (1.0 + gained) / (5.0 + seconds)
    share = min(max(gain / (gain + proof), LEAST_SHARE), MOST_SHARE)
    return (1.0 - share) / share


def _save(builder: DecisionBuilder, state: Improvement) -> None:
    builder.solve = replace(builder.solve, improvement=state)


def trial_slice(
    solve: Solve, slice_id: str, trial: Trial, priority: float, threshold: int = 0
) -> Slice:
    """Return the slice of a try; one aimed at a threshold goes where the threshold goes."""
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
