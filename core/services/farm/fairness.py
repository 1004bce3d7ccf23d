"""Whose turn it is in the queue of long searches: clients share the farm, not jobs or slices.

Fair queueing by start times (Goyal, Vin, Cheng, "Start-time fair queueing", 1997): whoever puts
work into the queue moves his own clock on by what that work costs, and his next work waits until
the others' clocks have come as far. The clock of a client who was away is set forward to the
queue's: idle time is not saved up. While nobody else waits, no clock is used.

A solve is charged to one client however many wait for it.
"""

from __future__ import annotations

from collections.abc import Callable

from tilework.core.services.repositories import Session

# What a piece of work costs at least (seconds): its claim and its end are work as well.
LEAST_COST_S = 0.01


def spread(
    own: float,
    others: float | None,
    charge: Callable[[float, float], float],
    *,
    cost_s: float,
    count: int,
) -> list[float]:
    """Return turns for new slices of one solve.

    Parameters
    ----------
    own : float
        The turn of the slice that they come from.
    others : float or None
        The first turn of those that wait for other solves; None for nobody.
    charge : callable
        Moves the clock of the client who pays on by an amount, and returns where it stood, at
        least at a given turn.
    cost_s : float
        Seconds that each is expected to take.
    """
    cost_s = max(cost_s, LEAST_COST_S)
    first = own + cost_s if others is None else charge(others, cost_s * count)
    return [first + cost_s * place for place in range(count)]


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
