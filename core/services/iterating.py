"""Searching threshold by threshold: what follows from the end of a slice of search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.services.closing import close_jobs
from core.services.cutting import worth
from core.services.demand import BROKEN
from core.services.effort import begun, spent
from core.services.ids import new_id
from core.services.improving import improvement
from core.services.learning import learned, store
from core.services.ports import Piece, SearchOutcome
from core.services.records import Claim, Found, Lease, Slice, Solve
from core.services.repositories import Session
from core.services.states import Queue, SliceKind, SliceState, SolveState
from core.services.turns import turns_of

# A threshold takes at least so many times the seconds of the one before.
SURE_GROWTH = 2.0


@dataclass(frozen=True, slots=True)
class SearchEnd:
    """How the run of a slice of search ended, and how what follows is to be cut.

    Attributes
    ----------
    outcome : SearchOutcome
        What remains may be in several pieces; the first is where the search stands.
    seconds : float
        Wall time of the run.
    short : int
        Pieces that the farm would like to be put by.
    tree : callable
        Cuts the whole tree of a threshold into at most so many pieces.
    """

    outcome: SearchOutcome
    seconds: float
    short: int
    tree: Callable[[int], Sequence[Piece]]


@dataclass(frozen=True, slots=True)
class Ended:
    """What a finished slice leads to: slices that wait, and one that its worker goes on with."""

    ready: int = 0
    onward: Claim | None = None


def finish_search(
    session: Session, claim: Claim, end: SearchEnd, now: float, lease: Lease | None = None
) -> Ended:
    """End a slice of search: its nodes, its least f and what remains of it.

    Parameters
    ----------
    lease : Lease, optional
        Under which the worker would go on with what remains, if it is this solve's turn.
    """
    piece, outcome = claim.slice, end.outcome
    # Before the lock: the shorter that is held, the more workers can share a solve.
    others = session.slices.first_turn(piece.solve_id)
    before = session.solves.lock(piece.solve_id)
    found = Found(outcome.nodes, outcome.least_over, outcome.engine, end.seconds)
    if before.epoch != piece.epoch or not session.slices.finish(piece, found, now):
        return Ended()
    after = learned(before, before.lower_bound, outcome.moves, outcome.nodes, end.seconds)
    left = sum(rest.share for rest in outcome.remaining)
    covered = min(1.0, max(0.0, before.covered + piece.share - left))
    after = spent(after, piece.threshold, found, covered, now)
    after = replace(after, least_over=_least(before.least_over, outcome.least_over))
    risen, hopeless = False, None
    if not outcome.remaining and outcome.moves is None:
        counts = session.slices.counts(after.id)
        if set(counts) == {SliceState.ASIDE}:
            hopeless = session.slices.aside_message(after.id) or BROKEN
        elif not counts:
            risen = True
            over = after.least_over if after.least_over is not None else piece.threshold + 1
            after = begin(after, over, now)
    if hopeless or _bounds(after) != _bounds(before):
        after = close_jobs(session, after, now, hopeless=hopeless)
    ended = Ended()
    if after.state is not SolveState.SETTLED:
        fresh = _following(session, after, piece, end, risen=risen, now=now)
        turns = turns_of(session, after, piece.turn, others, cost=end.seconds, count=len(fresh))
        fresh = [replace(one, turn=turn) for one, turn in zip(fresh, turns, strict=True)]
        ended = _insert(session, claim, after, fresh, others=others, lease=lease, now=now)
    if risen and after.state is SolveState.ACTIVE:
        improvement(session, after, piece, _expected_s(after), now)
    store(session, before, after, now, moves=outcome.moves, algorithm=piece.algorithm)
    return ended


def begin(solve: Solve, threshold: int, now: float) -> Solve:
    """Begin an iteration, unless its threshold, under which nothing is, proves the solution."""
    solve = learned(solve, threshold, None, 0, 0.0)
    return solve if solve.lower_bound == solve.upper_bound else begun(solve, solve.lower_bound, now)


def search_slice(solve: Solve, piece: Slice, threshold: int, rest: Piece, turn: float) -> Slice:
    """Make a slice of a threshold's search, of the same kind as the slice that led there."""
    return replace(
        piece,
        id=new_id(),
        epoch=solve.epoch,
        kind=SliceKind.SEARCH,
        queue=Queue.SEARCH,
        state=SliceState.READY if solve.state is SolveState.ACTIVE else SliceState.PARKED,
        threshold=threshold,
        cursor=rest.cursor,
        share=rest.share,
        turn=turn,
        attempts=0,
        expiries=0,
        parent_id=None,
    )


def _following(
    session: Session, solve: Solve, piece: Slice, end: SearchEnd, *, risen: bool, now: float
) -> list[Slice]:
    """Make the slices that come of a slice: its rest, or the tree of the threshold that begins."""
    pieces: Sequence[Piece] = end.outcome.remaining
    threshold, parent = piece.threshold, piece.id if pieces else None
    if risen:
        threshold = solve.lower_bound
        pieces = end.tree(min(1 + end.short, worth(_expected_s(solve))))
        if len(pieces) > 1:
            # Its root is in the proof all the same, as a slice that did nothing but be cut.
            root = search_slice(solve, piece, threshold, end.tree(1)[0], piece.turn)
            session.slices.add([root], now)
            session.slices.finish(root, Found(), now)
            parent = root.id
    return [
        replace(search_slice(solve, piece, threshold, rest, piece.turn), parent_id=parent)
        for rest in pieces
    ]


def _insert(
    session: Session,
    claim: Claim,
    solve: Solve,
    fresh: Sequence[Slice],
    *,
    others: float | None,
    lease: Lease | None,
    now: float,
) -> Ended:
    """Store slices; the first stays with its worker where nobody else's turn is before it."""
    if not fresh or solve.state is not SolveState.ACTIVE:
        session.slices.add(fresh, now)
        return Ended()
    if lease is None or (others is not None and others < fresh[0].turn):
        session.slices.add(fresh, now)
        return Ended(len(fresh))
    first = replace(fresh[0], state=SliceState.LEASED, attempts=1)
    session.slices.add([first, *fresh[1:]], now, lease)
    onward = Claim(first, claim.puzzle, solve.lower_bound, solve.upper_bound)
    return Ended(len(fresh) - 1, onward)


def _expected_s(solve: Solve) -> float:
    """Return the seconds of all workers that the threshold just begun takes at least."""
    return SURE_GROWTH * solve.iterations[-2].seconds if len(solve.iterations) > 1 else 0.0


def _bounds(solve: Solve) -> tuple[int, int | None]:
    return solve.lower_bound, solve.upper_bound


def _least(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return min(one, other)
