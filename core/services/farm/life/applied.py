"""The result of applying a decision."""

from __future__ import annotations

from dataclasses import dataclass

from core.services.farm.records import Slice
from core.services.states import Queue


@dataclass(frozen=True, slots=True)
class Applied:
    """What a decision led to.

    Attributes
    ----------
    done : bool
        False where the lease that it rested on was lost: nothing has changed then.
    fresh : tuple of Queue
        Where slices wait now that did not before, one for each.
    onward : Slice or None
        One that its worker goes on with.
    """

    done: bool = False
    fresh: tuple[Queue, ...] = ()
    onward: Slice | None = None
