"""Retry limits, and the hooks of each kind of task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tilework.core.messages import Message
from tilework.core.storage.session import Session

MAX_CRASHES: Final = 3
"""Workers that a task may crash before it is abandoned."""

MAX_ERRORS: Final = 2
"""Errors that a task may raise. Two can have different causes; a third is unlikely to."""

Hook = Callable[[Session, str, float], object]


def _do_nothing(_session: Session, _task_id: str, _now: float) -> None:
    pass


@dataclass(frozen=True, slots=True)
class TaskHooks:
    """The hooks of one kind of task.

    ``crash_message``: the message if the task crashed too many workers.
    ``make_error_message``: returns the message if the task raised too many errors.
    ``on_claim``, ``on_end``: called in the transaction that claims or ends the task.
    """

    crash_message: Message
    make_error_message: Callable[[str], Message]
    on_claim: Hook = _do_nothing
    on_end: Hook = _do_nothing
