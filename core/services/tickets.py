"""Tickets to workers. If the broker is down, work is delayed but never lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from tilework.core.logs import FailureLog
from tilework.core.model.states import Queue

MAX_WAITING: Final = 8
"""Maximum number of tickets in a queue.

A worker that takes a ticket works until no work is left. So one waiting ticket is enough for all
committed work, and a few of them wake a few workers.
"""

_failures = FailureLog("sending tickets")

_REMEDIES: Final = {
    "protected mode": "set requirepass in its redis.conf, and the password in TILEWORK_BROKER_URL",
    "authentication required": "add its password to TILEWORK_BROKER_URL: redis://:PASSWORD@HOST",
    "password": "correct the password in TILEWORK_BROKER_URL, percent-encoded",
    "refused": "start it, and let it listen for other hosts (bind in its redis.conf)",
}
"""What to do about an error of a broker's client, by a part of its text."""


def find_remedy(reason: str) -> str:
    """Say what to do about the reason why a broker cannot be used."""
    remedies = (remedy for part, remedy in _REMEDIES.items() if part in reason.lower())
    return next(remedies, "restart it, or mend the network")


class Tickets(Protocol):
    """Messages that say "there is work in queue X", but not which work."""

    def send(self, queue: str, count: int = 1) -> None:
        """Put tickets into a queue. It may raise anything, because no ticket is essential."""

    def depth(self, queue: str) -> int | None:
        """Return how many tickets wait; None if the broker does not answer."""

    def find_problem(self) -> str | None:
        """Say what to do if the broker is needed and does not answer."""


class NoTickets:
    """Tickets of a process without a broker: the workers' reconcilers send them."""

    def send(self, queue: str, count: int = 1) -> None:
        pass

    def depth(self, queue: str) -> int | None:
        return None

    def find_problem(self) -> str | None:
        return None


def announce(tickets: Tickets, queues: Sequence[Queue | None]) -> None:
    """Send one ticket for each of these queues; None means no work."""
    for queue in set(queues):
        if queue is not None:
            _send(tickets, queue, min(queues.count(queue), MAX_WAITING))


def replenish(tickets: Tickets, queue: Queue, ready: int) -> None:
    """Send the tickets that a queue lacks for its waiting work."""
    try:
        missing = min(ready, MAX_WAITING) - (tickets.depth(queue) or 0)
    except Exception as error:  # broker clients raise various exceptions
        _failures.fail(error)
        return
    if missing > 0:
        _send(tickets, queue, missing)


def _send(tickets: Tickets, queue: Queue, count: int) -> None:
    try:
        tickets.send(queue, count)
    except Exception as error:  # as above; the reconciler sends another one
        _failures.fail(error)
    else:
        _failures.succeed()
