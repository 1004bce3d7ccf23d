"""The one function that decides what becomes of a solve."""

from __future__ import annotations

from tilework.core.model.changes import Decision, Drop, Situation
from tilework.core.services.farm.life import (
    asking,
    checking,
    events,
    improving,
    opening,
    searching,
    setbacks,
    sliding,
)
from tilework.core.services.farm.life.draft import Draft
from tilework.core.services.farm.life.rules import Rules


def live(situation: Situation, event: events.Event, now: float, rules: Rules) -> Decision:
    """Decide what follows from an event.

    Parameters
    ----------
    situation : Situation
        Where the solve stands, as it was read under its lock.
    now : float
        Epoch seconds, by the database's clock.
    rules : Rules
        What the settings say.

    Returns
    -------
    Decision
        The solve as it is from now on, and what else changes. The storage applies it whole in
        the transaction that holds the lock, or, where a slice's lease was lost, not at all.

    Raises
    ------
    BoundsError
        If a solution is shorter than what was proved.
    """
    draft = Draft(situation, now, rules)
    if isinstance(event, events.SliceEvent) and event.piece.epoch != draft.solve.epoch:
        # Nothing rests on it any more; left alone, its lease would expire and be revoked for ever.
        if not isinstance(event, events.Started | events.Noted | events.WorkersIdle):
            draft.add(Drop(event.piece))
        return draft.decision()
    match event:
        case events.Asked():
            asking.asked(draft, event)
        case events.Learned():
            asking.learned(draft, event)
        case events.Disproved():
            asking.disproved(draft, event)
        case events.WorkDamaged():
            asking.work_damaged(draft)
        case events.Cancelled():
            asking.cancelled(draft, event)
        case events.TimePassed():
            asking.time_passed(draft)
        case events.Started():
            opening.started(draft, event)
        case events.Noted():
            opening.noted(draft, event)
        case events.Opened():
            opening.opened(draft, event)
        case events.Slid():
            sliding.slid(draft, event)
        case events.Searched():
            searching.searched(draft, event)
        case events.Checked():
            checking.checked(draft, event)
        case events.Improved():
            improving.improved(draft, event)
        case events.WorkersIdle():
            improving.workers_idle(draft, event)
        case events.LeaseLost():
            setbacks.lease_lost(draft, event)
        case events.Raised():
            setbacks.raised(draft, event)
        case events.Halved():
            setbacks.halved(draft, event)
    return draft.decision()
