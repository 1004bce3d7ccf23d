"""The limits of retries, and the hooks of the kinds of tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tilework.core.messages import Message
from tilework.core.storage.session import Session

MAX_CRASHES: Final = 3
"""Workers that a task may crash."""

MAX_ERRORS: Final = 2
"""Errors that a task may raise. Two can have different causes; a third is unlikely to."""

Hook = Callable[[Session, str, float], object]


def _nothing(_session: Session, _task_id: str, _now: float) -> None:
    pass


@dataclass(frozen=True, slots=True)
class TaskHooks:
    """The hooks of one kind of task.

    ``crashed``: the message if the task crashed too many workers.
    ``failed``: returns the message if the task raised too many errors.
    ``claimed``, ``ended``: called in the transaction that claims or ends the task.
    """

    crashed: Message
    failed: Callable[[str], Message]
    claimed: Hook = _nothing
    ended: Hook = _nothing
