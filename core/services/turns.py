"""Whose turn it is in the queue of long searches: clients share the farm, not jobs or slices.

Fair queueing by start times (Goyal, Vin, Cheng, "Start-time fair queueing", 1997): whoever puts
work into the queue moves his own clock on by what that work costs, and his next work waits until
the others' clocks have come as far. The clock of somebody who was away is put forward to where
the queue is: rest is not saved up. While nobody else waits, no clock is looked at.

A solve is charged to one client however many wait for it.
"""

from __future__ import annotations

from core.services.records import Solve
from core.services.repositories import Session

# What a piece of work costs at least (seconds): its claim and its end are work as well.
LEAST_COST_S = 0.01


def turns_of(
    session: Session, solve: Solve, own: float, others: float | None, *, cost: float, count: int
) -> list[float]:
    """Return turns for slices of a locked solve, the only one of its transaction.

    Parameters
    ----------
    own : float
        The turn of the slice that they come from.
    others : float or None
        The first turn of those that wait for other solves; None for nobody.
    cost : float
        Seconds that each is expected to take.
    """
    cost = max(cost, LEAST_COST_S)
    if others is None or solve.client_id is None:
        first = own + cost
    else:
        first = session.clients.charge(solve.client_id, others, cost * count)
    return [first + cost * place for place in range(count)]


def turn_to_wait(session: Session, client_id: str, now: float, turn: float) -> float:
    """Return the turn of work that a client puts into the queue of long searches from outside.

    Parameters
    ----------
    turn : float
        Where it would stand among the client's own if time were the only measure, ``now`` or more.
    """
    first = session.slices.first_turn(None)
    if first is None:
        return turn
    return max(first, session.clients.turn(client_id)) + turn - now
