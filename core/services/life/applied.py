"""What came of applying a decision, and how an event is settled."""

from __future__ import annotations

from dataclasses import dataclass

from core.services.records import Slice


@dataclass(frozen=True, slots=True)
class Applied:
    """What a decision led to.

    Attributes
    ----------
    done : bool
        False where the lease that it rested on was lost: nothing has changed then.
    ready : int
        Slices that wait now and did not before.
    onward : Slice or None
        One that its worker goes on with.
    """

    done: bool = False
    ready: int = 0
    onward: Slice | None = None
