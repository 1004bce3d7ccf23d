"""Working: claim slices, run them, store what they found."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.services.ports import Clock, Engine, Storage, Tickets, system_clock
from core.settings import Settings


@dataclass(frozen=True)
class WorkReport:
    """Slices run, and whether there may be more to do: then mint a new ticket."""

    ran: int
    more: bool


class Work:
    def __init__(
        self,
        storage: Storage,
        tickets: Tickets,
        settings: Settings,
        engine: Engine,
        clock: Clock = system_clock,
    ) -> None: ...

    def run(self, queue: str, owner: str, stopping: Callable[[], bool]) -> WorkReport:
        raise NotImplementedError
