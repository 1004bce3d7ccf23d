"""Settling an event: lock, decide, apply, in the caller's transaction."""

from __future__ import annotations

from core.services.leases import Holder
from core.services.life.applied import Applied
from core.services.life.draft import Rules
from core.services.life.events import Event, Opened, Searched, SliceEvent
from core.services.life.live import live
from core.services.repositories import Session


def settle(
    session: Session,
    solve_id: str,
    event: Event,
    now: float,
    rules: Rules,
    *,
    holder: Holder | None = None,
) -> Applied:
    """Let a solve live through an event.

    Parameters
    ----------
    session : Session
        Of a transaction that writes. One in which turns are given out holds no other solve.
    now : float
        Epoch seconds, by the storage's clock.
    holder : Holder, optional
        Who would go on with what remains of a slice.
    """
    others = None
    if gives_turns(event):
        # Before the lock: the shorter that is held, the more workers can share a solve.
        others = session.slices.first_turn(solve_id)
    solve = session.solves.lock(solve_id)
    but = event.piece.id if isinstance(event, SliceEvent) else None
    decision = live(session.lives.situation(solve, but), event, now, rules)
    return session.lives.apply(solve, decision, now, others=others, holder=holder)


def gives_turns(event: Event) -> bool:
    """Whether an event may lead to slices whose turns are charged to a client."""
    return isinstance(event, Searched) or (
        isinstance(event, Opened) and event.threshold is not None
    )
