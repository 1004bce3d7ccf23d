"""Putting right what was lost."""
from __future__ import annotations

from core.services.ports import Clock, Storage, Tickets, system_clock
from core.settings import Settings


class Reconcile:
    def __init__(
        self, storage: Storage, tickets: Tickets, settings: Settings, clock: Clock = system_clock
    ) -> None: ...

    def run_once(self) -> None:
        """Expired leases, deadlines, tickets for queues with ready slices."""
        raise NotImplementedError
