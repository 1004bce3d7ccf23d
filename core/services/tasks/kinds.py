"""Retry limits, and the messages of failed tasks of each kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tilework.core.messages import Message

MAX_CRASHES: Final = 3
"""Workers that a task may crash before it is abandoned."""

MAX_ERRORS: Final = 2
"""Errors that a task may raise. Two can have different causes; a third is unlikely to."""


@dataclass(frozen=True, slots=True)
class FailureMessages:
    """The messages of one kind of task.

    ``crash_message``: the message if the task crashed too many workers.
    ``make_error_message``: returns the message if the task raised too many errors.
    """

    crash_message: Message
    make_error_message: Callable[[str], Message]
