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
from tilework.core.services.farm.state_machine.events import ALL, Improved, Share, WorkersIdle
from tilework.core.services.farm.state_machine.proof_pace import is_in_reach, proof_rate
from tilework.core.services.farm.trial_plan import Standing, after_trial, next_trial
from tilework.core.solver.costs import BEAM_SHARE
from tilework.core.solver.target import Algorithm, Heuristic, Target
from tilework.core.solver.trial import Trial, TrialKind

# One that raised counts for more than one whose lease ran out: its worker may have been ended.
RAISED_TROUBLE = 3
LOST_TROUBLE = 1
MOST_TROUBLES = 12

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


def improved(draft: DecisionBuilder, event: Improved) -> None:
    """End a try: a shorter solution may end the solve with it; else the next try follows."""
    piece, outcome = event.piece, event.outcome
    draft.end_slice(piece, SliceAction.DELETE)
    trial = Trial.from_bytes(piece.cursor)
    done = draft.solve.improvement.find(piece.id)
    draft.take_bounds(0, None, outcome.algorithm, outcome.nodes, event.seconds)
    if outcome.moves is not None:
        if trial.kind is not TrialKind.WINDOWS:
            draft.take_bounds(0, outcome.moves, outcome.algorithm, 0, 0.0)
        elif done is not None and done.count:
            draft.splice(done.first, done.count, outcome.moves, outcome.algorithm)
    gained = (draft.before.upper_bound or 0) - (draft.solve.upper_bound or 0)
    if draft.solve.threshold is None:
        # Beside a proof the rate is the proof's: the time that it has left is told from it.
        draft.solve = add_effort(draft.solve, outcome.nodes, event.seconds, draft.now)
    if done is not None:
        state = after_trial(
            draft.solve.improvement, done, event.seconds, gained, whole=outcome.complete
        )
        if gained and trial.kind is TrialKind.WINDOWS:
            state = state.spliced(done, gained, draft.now)
        _save(draft, state)
    if gained and trial.kind is not TrialKind.WINDOWS:
        _save(draft, draft.solve.improvement.replaced(draft.now))
    if gained:
        draft.end_jobs()
    crowded = 0 < event.share.workers <= len(draft.solve.improvement.under_way)
    if done is not None and not crowded:
        _go_on(draft, piece, event.share, event.seconds)


def workers_idle(draft: DecisionBuilder, event: WorkersIdle) -> None:
    """Add tries for workers that have nothing to do."""
    draft.end_slice(event.piece, SliceAction.KEEP)
    waiting = sum(group.slices for group in draft.tries() if group.state is SliceState.READY)
    piece = event.piece
    own = WorkGroup(piece.kind, SliceState.LEASED, piece.config, 1, None, draft.now)
    draft.work.append(own)
    for _ in range(event.count - waiting):
        if not (_goes_on(draft) and add_trial(draft, piece.turn, event.share)):
            break


def trial_failed(
    draft: DecisionBuilder, piece: Slice, trouble: int, *, expired: bool = False
) -> None:
    """Let go of a try that failed: another one follows, unless they fail again and again."""
    draft.end_slice(piece, SliceAction.DELETE, expired=expired)
    state = draft.solve.improvement
    if state.find(piece.id) is None:
        # A beam aimed at a threshold, or of jobs that have ended meanwhile.
        return
    state = state.without(piece.id)
    state = replace(state, troubles=state.troubles + trouble)
    if trouble == LOST_TROUBLE:
        state = state.lost()
    if state.troubles < MOST_TROUBLES:
        _save(draft, state)
        _go_on(draft, piece, ALL)
        return
    _save(draft, replace(state, troubles=0))
    for job in list(draft.jobs):
        if draft.is_improved(job) and not draft.is_deepened(job):
            draft.end_job(job, JobState.BOUNDED, draft.quarantine_message)
    draft.tend()


def add_trial(
    draft: DecisionBuilder, turn: float, share: Share = ALL, *, cost_s: float | None = None
) -> bool:
    """Add the next try at a shorter solution; whether there is one.

    There is none beside a search that is about to close the gap: what a try would find is not worth
    its time then, and a worker that makes one is away from the search for seconds.

    ``turn``: of the slice that it follows.
    ``share``: of the farm, as far as is known.
    ``cost_s``: what it is expected to take, by which the client is charged.
    """
    solve = draft.solve
    seconds_left = share.pace * _seconds_left(draft)
    if is_in_reach(solve, min(seconds_left, REACH_S)):
        return False
    state = solve.improvement
    if not draft.tries():
        # What is not there is not under way.
        state = replace(state, under_way=())
    standing = Standing(
        size=solve.size,
        moves=solve.upper_bound or 1,
        seconds_left=seconds_left,
        beam_share=BEAM_SHARE if share.pace > CROWDED_PACE else CROWDED_BEAM_SHARE,
        aim_s=max(draft.settings.search_slice_s, SLICE_S_A_TRY * len(state.under_way)),
        memory_bytes=draft.settings.trial_memory_bytes,
        workers=share.workers,
        seed=zlib.crc32(solve.key.encode()),
    )
    slice_id = new_id()
    chosen = next_trial(state, standing, slice_id)
    if chosen is None:
        return False
    after, trial = chosen
    _save(draft, after)
    piece = trial_slice(solve, slice_id, trial, turn)
    if cost_s is not None:
        cost_s *= _weight(solve)
    draft.add_slices([piece], cost_s)
    return True


def resume(draft: DecisionBuilder, turn: float, cost_s: float) -> None:
    """Add a try where there is none: the search may be longer than it seemed."""
    state = draft.solve.improvement
    is_tried = state.under_way and draft.tries()
    if state.opened and not is_tried and _goes_on(draft):
        add_trial(draft, turn, cost_s=cost_s)


def _go_on(draft: DecisionBuilder, piece: Slice, share: Share, cost_s: float | None = None) -> None:
    if _goes_on(draft):
        add_trial(draft, piece.turn, share, cost_s=cost_s)


def _goes_on(draft: DecisionBuilder) -> bool:
    return draft.solve.state is SolveState.ACTIVE and any(map(draft.is_improved, draft.jobs))


def _seconds_left(draft: DecisionBuilder) -> float:
    """Return the seconds until the last deadline of those for whom tries are made."""
    deadlines = [job.deadline for job in draft.jobs if draft.is_improved(job)]
    return max(0.0, max(deadlines, default=draft.now) - draft.now)


def _weight(solve: Solve) -> float:
    """Return how much dearer a try is than search: the dearer, the less of the time it gets.

    Both close the gap, the search by two moves a threshold; who closes it faster gets more.
    """
    proof = proof_rate(solve)
    if proof is None:
        return 1.0
    seconds = sum(pay.recent_seconds for _, pay in solve.improvement.pays)
    gained = sum(pay.recent_gained for _, pay in solve.improvement.pays)
    # Until it was tried for some seconds, it is taken to gain something.
    gain = (1.0 + gained) / (5.0 + seconds)
    share = min(max(gain / (gain + proof), LEAST_SHARE), MOST_SHARE)
    return (1.0 - share) / share


def _save(draft: DecisionBuilder, state: Improvement) -> None:
    draft.solve = replace(draft.solve, improvement=state)


def trial_slice(
    solve: Solve, slice_id: str, trial: Trial, turn: float, threshold: int = 0
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
        turn=turn,
    )
