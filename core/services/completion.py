"""Ending slices, each in one transaction, so that doing it twice is the same as once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.search.catalogue import Algorithm
from core.search.limits import StopReason
from core.search.result import SearchResult
from core.search.target import Target, TargetKind
from core.services.closing import METHOD_DONE, close_jobs
from core.services.demand import open_slice
from core.services.iterating import begin, search_slice
from core.services.learning import learned, store
from core.services.ports import Piece
from core.services.records import Claim, Slice, Solve
from core.services.repositories import Session
from core.services.states import Queue, SolveState
from core.services.turns import turns_of

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
            after = begin(after, outcome.threshold, now)
            planned = _plan(session, after, piece, root, cost=outcome.seconds, now=now)
            session.jobs.move(after.id, Queue.SEARCH, outcome.begun_at)
            # The estimate itself may have proved what there was to prove.
            after = close_jobs(session, after, now, begun_at=outcome.begun_at)
            planned *= after.state is SolveState.ACTIVE
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


def strictest(targets: Sequence[Target]) -> Target:
    """Return the target that, once met, meets all the others."""
    return min(targets, key=_strictness)


def is_stricter(one: Target, other: Target) -> bool:
    """Whether meeting one target takes more than meeting the other."""
    return _strictness(one) < _strictness(other)


def _strictness(target: Target) -> tuple[int, float]:
    order = {TargetKind.OPTIMAL: 0, TargetKind.GAP: 1, TargetKind.ANY: 2}
    return order[target.kind], target.gap


def _plan(
    session: Session, solve: Solve, piece: Slice, root: Piece, *, cost: float, now: float
) -> int:
    if solve.lower_bound == solve.upper_bound:
        return 0
    others = session.slices.first_turn(solve.id)
    [turn] = turns_of(session, solve, piece.turn, others, cost=cost, count=1)
    session.slices.add([search_slice(solve, piece, solve.lower_bound, root, turn)], now)
    return 1


def _opened_again(solve: Solve, piece: Slice, wanted: Target, now: float) -> Slice:
    return open_slice(
        solve,
        piece.queue,
        now,
        algorithm=piece.algorithm,
        heuristic=piece.heuristic,
        target=wanted,
    )
