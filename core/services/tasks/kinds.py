"""How often a task may fail, and what differs between kinds in how they begin, fail and end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tilework.core.messages import Message
from tilework.core.storage.session import Session

MAX_CRASHES: Final = 3
"""Workers that a task may crash."""

MAX_ERRORS: Final = 2
"""Errors that it may raise: the second may have another cause, a third has not."""

Hook = Callable[[Session, str, float], object]


def _nothing(_session: Session, _task_id: str, _now: float) -> None:
    pass


@dataclass(frozen=True, slots=True)
class TaskHooks:
    """Of one kind of tasks.

    Attributes
    ----------
    crashed, failed : Message, callable
        What is told of a task that crashed too many workers, and of one that raised, by the error.
    claimed, ended : callable
        Done in the transaction that claims or ends a task, of whose id and time they are told.
    """

    crashed: Message
    failed: Callable[[str], Message]
    claimed: Hook = _nothing
    ended: Hook = _nothing
