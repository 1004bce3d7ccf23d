"""How deep a search that calls itself may go.

Python keeps a frame for every call that has not ended, and ends a program at a thousand of them.
What called the search needs its share. A search that keeps a stack of its own has no such limit.
"""

from __future__ import annotations

from tilework.core.lab.meter import Stopped
from tilework.core.lab.problem import Node
from tilework.core.messages import Message
from tilework.core.search.limits import StopReason

MOST_CALLS = 700


def check_calls(path: list[Node]) -> None:
    """End a recursive search whose path is too long to go on.

    Parameters
    ----------
    path : list of Node
        One for each call.

    Raises
    ------
    Stopped
        At 700 calls.
    """
    if len(path) >= MOST_CALLS:
        raise Stopped(
            StopReason.DEPTH,
            Message(
                "recursion-depth",
                "The recursion reached its limit of {calls} calls; a search with a stack of its "
                "own, such as backtracking-stack or depth-first, has no such limit.",
                calls=MOST_CALLS,
            ),
        )
