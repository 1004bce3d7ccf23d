"""Whose request is worked on next, where there are more than can be.

Threads of one process share one processor: a hundred large answers at once would each take a
hundred times as long, and with them everything else. So few are made at a time, and fewer for one
address.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

AT_ONCE: Final = 16
OF_ONE: Final = 4


@dataclass
class _Own:
    turns: asyncio.Semaphore
    users: int = field(default=0)


class Turns:
    """Gives turns, in the order in which they are asked for, to so many at once.

    Parameters
    ----------
    of_one : int
        How many of one address.
    """

    def __init__(self, of_one: int) -> None:
        self._all = asyncio.Semaphore(AT_ONCE)
        self._of_one = of_one
        self._own: dict[str, _Own] = {}

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for a turn and have it for as long as the context lasts."""
        own = self._own.setdefault(address, _Own(asyncio.Semaphore(self._of_one)))
        own.users += 1
        try:
            async with own.turns, self._all:
                yield
        finally:
            own.users -= 1
            if not own.users:
                del self._own[address]
