"""Ending slices, each in one transaction, so that doing it twice is the same as once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from core.search.catalogue import Algorithm
from core.search.limits import StopReason
from core.search.result import SearchResult
from core.search.target import Target, TargetKind
from core.services.closing import METHOD_DONE, close_jobs
from core.services.demand import BROKEN, open_slice
from core.services.effort import begun, spent
from core.services.ids import new_id
from core.services.learning import learned, store
from core.services.ports import Piece, SearchOutcome
from core.services.records import Claim, Found, Slice, Solve
from core.services.repositories import Session
from core.services.states import Queue, SliceKind, SliceState, SolveState

_NO_SOLUTION = "No method here found a solution of this board."


@dataclass(frozen=True, slots=True)
class OpenOutcome:
    """What the first try at a board came to.

    Attributes
    ----------
    threshold : int or None
        Where a search in slices would begin; None where there is no such search.
    begun_at, seconds : float
        Epoch seconds of the beginning, and the time it took.
    """

    result: SearchResult
    threshold: int | None
    begun_at: float
    seconds: float


def note_bounds(
    session: Session, claim: Claim, result: SearchResult, begun_at: float, now: float
) -> bool:
    """Store bounds while their slice runs on; True where somebody still waits for better ones."""
    before = session.solves.lock(claim.slice.solve_id)
    if before.epoch != claim.slice.epoch:
        return False
    statistics = result.statistics
    after = learned(
        before, result.lower_bound, result.moves, statistics.generated, statistics.seconds
    )
    after = close_jobs(session, after, now, begun_at=begun_at)
    store(session, before, after, now, moves=result.moves, algorithm=result.algorithm)
    return after.state is SolveState.ACTIVE


def finish_open(
    session: Session, claim: Claim, outcome: OpenOutcome, root: Piece, now: float
) -> int:
    """End the first try at a board; plan what comes next where bounds are still too far apart.

    Returns
    -------
    int
        Search slices that are now ready.
    """
    piece, result = claim.slice, outcome.result
    before = session.solves.lock(piece.solve_id)
    if before.epoch != piece.epoch or not session.slices.drop(piece.id):
        return 0
    nodes = result.statistics.generated
    after = learned(before, result.lower_bound, result.moves, nodes, outcome.seconds)
    after = replace(after, wall_s=after.wall_s + outcome.seconds)
    after = close_jobs(session, after, now, begun_at=outcome.begun_at, tried=piece.algorithm)
    planned = 0
    if after.state is SolveState.ACTIVE and not session.slices.counts(after.id):
        jobs = session.jobs.active_of(after.id)
        wanted = strictest([job.target for job in jobs])
        interrupted = result.stopped_by is StopReason.CANCELLED
        if interrupted or is_stricter(wanted, piece.target):
            again = _opened_again(after, piece, wanted, now)
            session.slices.add([again], now)
        elif outcome.threshold is not None:
            # What an earlier search of this threshold left cannot be told from this one's.
            session.slices.forget(after.id, max(after.lower_bound, outcome.threshold))
            after = _begin(session, after, outcome.threshold, piece, root=root, now=now)
            session.jobs.move(after.id, Queue.SEARCH, outcome.begun_at)
            # The estimate itself may have proved what there was to prove.
            after = close_jobs(session, after, now, begun_at=outcome.begun_at)
            planned = int(after.state is SolveState.ACTIVE)
        elif after.upper_bound is None:
            after = close_jobs(session, after, now, hopeless=_NO_SOLUTION)
        elif piece.algorithm != Algorithm.AUTO:
            # Only the choice that is left to the solver shows that there is no better one.
            after = close_jobs(session, after, now, hopeless=METHOD_DONE)
        else:
            after = replace(after, state=SolveState.EXHAUSTED)
            after = close_jobs(session, after, now, begun_at=outcome.begun_at)
    store(session, before, after, now, moves=result.moves, algorithm=result.algorithm)
    return planned


def finish_search(
    session: Session,
    claim: Claim,
    outcome: SearchOutcome,
    *,
    root: Piece,
    seconds: float,
    now: float,
    rest_s: float,
) -> int:
    """End a slice of search: its nodes, its least f and what remains of it.

    Parameters
    ----------
    rest_s : float
        By how many seconds a remaining slice's turn comes after another's of the same solve.

    Returns
    -------
    int
        Slices that are now ready because of it.
    """
    piece = claim.slice
    before = session.solves.lock(piece.solve_id)
    found = Found(outcome.nodes, outcome.least_over, outcome.engine, seconds)
    if before.epoch != piece.epoch or not session.slices.finish(piece, found, now):
        return 0
    after = learned(before, before.lower_bound, outcome.moves, outcome.nodes, seconds)
    left = sum(rest.share for rest in outcome.remaining)
    covered = min(1.0, max(0.0, before.covered + piece.share - left))
    after = spent(after, piece.threshold, found, covered, now)
    after = replace(after, least_over=_least(before.least_over, outcome.least_over))
    counts = session.slices.counts(after.id)
    # A solve with many slices has each of them wait longer: solves share the farm, not slices.
    turns = (now + rest_s * place for place in count(sum(counts.values())))
    fresh = [
        replace(_search_slice(after, piece, piece.threshold, rest, turn), parent_id=piece.id)
        for rest, turn in zip(outcome.remaining, turns, strict=False)
    ]
    session.slices.add(fresh, now)
    ready = len(fresh)
    hopeless = None
    if not fresh and not counts and outcome.moves is None:
        over = after.least_over if after.least_over is not None else piece.threshold + 1
        after = learned(after, over, None, 0, 0.0)
        after = _begin(session, after, over, piece, root=root, now=now)
        ready = 1
    elif not fresh and set(counts) == {SliceState.ASIDE}:
        hopeless = session.slices.aside_message(after.id) or BROKEN
    after = close_jobs(session, after, now, hopeless=hopeless)
    store(session, before, after, now, moves=outcome.moves, algorithm=piece.algorithm)
    return ready if after.state is SolveState.ACTIVE else 0


def strictest(targets: Sequence[Target]) -> Target:
    """Return the target that, once met, meets all the others."""
    return min(targets, key=_strictness)


def is_stricter(one: Target, other: Target) -> bool:
    """Whether meeting one target takes more than meeting the other."""
    return _strictness(one) < _strictness(other)


def _strictness(target: Target) -> tuple[int, float]:
    order = {TargetKind.OPTIMAL: 0, TargetKind.GAP: 1, TargetKind.ANY: 2}
    return order[target.kind], target.gap


def _least(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return min(one, other)


def _opened_again(solve: Solve, piece: Slice, wanted: Target, now: float) -> Slice:
    return open_slice(
        solve,
        piece.queue,
        now,
        algorithm=piece.algorithm,
        heuristic=piece.heuristic,
        target=wanted,
    )


def _begin(
    session: Session, solve: Solve, threshold: int, piece: Slice, *, root: Piece, now: float
) -> Solve:
    """Start an iteration. Nothing shorter than its threshold exists: that is proved."""
    solve = learned(solve, threshold, None, 0, 0.0)
    if solve.lower_bound == solve.upper_bound:
        return solve
    session.slices.add([_search_slice(solve, piece, solve.lower_bound, root, now)], now)
    return begun(solve, solve.lower_bound, now)


def _search_slice(solve: Solve, piece: Slice, threshold: int, rest: Piece, turn: float) -> Slice:
    return Slice(
        id=new_id(),
        solve_id=solve.id,
        epoch=solve.epoch,
        kind=SliceKind.SEARCH,
        queue=Queue.SEARCH,
        state=SliceState.READY if solve.state is SolveState.ACTIVE else SliceState.PARKED,
        threshold=threshold,
        cursor=rest.cursor,
        algorithm=piece.algorithm,
        heuristic=piece.heuristic,
        target=piece.target,
        share=rest.share,
        turn=turn,
    )
