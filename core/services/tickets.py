"""Sends tickets to workers. If the broker is down, work is delayed but never lost."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from tilework.core.model.states import Queue
from tilework.core.services.ports import Tickets

# Workers that get further tickets would find all work claimed already.
MAX_TICKETS = 16

_log = logging.getLogger(__name__)


def announce(tickets: Tickets, queues: Sequence[Queue | None]) -> None:
    """Send a ticket for each piece of work, given by its queue; None stands for no work."""
    for queue in set(queues):
        if queue is not None:
            _send(tickets, queue, min(queues.count(queue), MAX_TICKETS))


def replenish(tickets: Tickets, queue: Queue, ready: int) -> None:
    """Send the tickets that a queue lacks for its waiting work."""
    try:
        missing = min(ready, MAX_TICKETS) - (tickets.depth(queue) or 0)
    except Exception:  # broker clients raise anything
        _log.warning("the tickets in %s could not be counted", queue, exc_info=True)
        return
    if missing > 0:
        _send(tickets, queue, missing)


def _send(tickets: Tickets, queue: Queue, count: int) -> None:
    try:
        tickets.send(queue, count)
    except Exception:  # broker clients raise anything
        _log.warning("no ticket was sent to %s; the reconciler will", queue, exc_info=True)
