"""Slices that did not come back: errors, leases that ran out, poison.

An attempt is counted before it runs, and a lease that runs out tells of a worker that died or
hung. A slice that does so again and again is poison: split once, so that the part that can be
searched is, and then set aside.
"""

from __future__ import annotations

from dataclasses import replace

from core.services.closing import close_jobs
from core.services.demand import BROKEN
from core.services.ids import new_id
from core.services.ports import Piece
from core.services.records import Found, Slice, Solve
from core.services.repositories import Session
from core.services.states import SliceKind, SliceState, SolveState

# Leases that may run out before a slice counts as poison; its halves get one try each.
MOST_EXPIRIES = 3

# Errors that a slice may report: the second may be another cause, the third is not.
MOST_ATTEMPTS_WITH_ERRORS = 2


def is_poison(piece: Slice) -> bool:
    """Whether a slice is to be split before it runs again."""
    return piece.kind is SliceKind.SEARCH and piece.expiries == MOST_EXPIRIES


def expire(session: Session, piece: Slice, now: float) -> None:
    """Take back a slice whose lease ran out."""
    if _dropped(session, piece):
        return
    solve = session.solves.lock(piece.solve_id)
    expiries = piece.expiries + 1
    most = MOST_EXPIRIES if piece.kind is SliceKind.SEARCH else MOST_EXPIRIES - 1
    if expiries > most:
        _set_aside(session, solve, piece, expiries, message=BROKEN, now=now)
        return
    session.slices.put(piece, _waiting(solve), expiries, now)


def report_error(session: Session, piece: Slice, message: str, now: float) -> None:
    """Take back a slice whose run raised; after the second time it is set aside."""
    if _dropped(session, piece):
        return
    solve = session.solves.lock(piece.solve_id)
    if piece.attempts < MOST_ATTEMPTS_WITH_ERRORS:
        session.slices.put(piece, _waiting(solve), piece.expiries, now, message)
    else:
        _set_aside(session, solve, piece, piece.expiries, message=message, now=now)


def refuse(session: Session, piece: Slice, message: str, now: float) -> None:
    """End the jobs of a slice that asks for what the solver does not offer for its board."""
    solve = session.solves.lock(piece.solve_id)
    if session.slices.drop(piece.id):
        session.solves.save(close_jobs(session, solve, now, hopeless=message), now)


def split(session: Session, piece: Slice, halves: tuple[Piece, Piece] | None, now: float) -> None:
    """Put two halves in the place of a poisonous slice, or set it aside where it has none."""
    solve = session.solves.lock(piece.solve_id)
    if halves is None:
        _set_aside(session, solve, piece, piece.expiries, message=BROKEN, now=now)
    elif solve.epoch == piece.epoch and session.slices.finish(piece, Found(), now):
        session.slices.add([_half(solve, piece, half) for half in halves], now)
        covered = solve.covered + piece.share - sum(half.share for half in halves)
        session.solves.save(replace(solve, covered=covered), now)


def _dropped(session: Session, piece: Slice) -> bool:
    """Drop a slice that nothing depends on, instead of trying it again."""
    if piece.kind is not SliceKind.IMPROVE:
        return False
    session.slices.drop(piece.id)
    return True


def _half(solve: Solve, piece: Slice, half: Piece) -> Slice:
    return replace(
        piece,
        id=new_id(),
        parent_id=piece.id,
        state=_waiting(solve),
        cursor=half.cursor,
        share=half.share,
        attempts=0,
        # One expiry more is one too many.
        expiries=MOST_EXPIRIES + 1,
    )


def _waiting(solve: Solve) -> SliceState:
    return SliceState.READY if solve.state is SolveState.ACTIVE else SliceState.PARKED


def _set_aside(
    session: Session, solve: Solve, piece: Slice, expiries: int, *, message: str, now: float
) -> None:
    if not session.slices.put(piece, SliceState.ASIDE, expiries, now, message):
        return
    if set(session.slices.counts(solve.id)) == {SliceState.ASIDE}:
        solve = close_jobs(session, solve, now, hopeless=message)
    session.solves.save(solve, now)
