"""Where a solve stands when something happens to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tilework.core.messages import Message
from tilework.core.services.farm.course import Course
from tilework.core.services.farm.jobs import ActiveJob
from tilework.core.services.farm.records import Solve
from tilework.core.services.states import SliceKind, SliceState


@dataclass(frozen=True, slots=True)
class WorkGroup:
    """Unfinished slices of one kind, state and course.

    Attributes
    ----------
    message : Message or None
        Why one of them was quarantined.
    oldest : float
        Epoch seconds at which the first of them was last changed.
    """

    kind: SliceKind
    state: SliceState
    course: Course
    count: int
    message: Message | None
    oldest: float


class Situation(Protocol):
    """A locked solve; jobs and slices are read only where a decision needs them."""

    @property
    def solve(self) -> Solve:
        """The solve, locked."""

    @property
    def jobs(self) -> Sequence[ActiveJob]:
        """Its unfinished jobs, oldest first."""

    @property
    def work(self) -> Sequence[WorkGroup]:
        """Its slices that are not done, but for the one that the event is about."""

    def twin_of(self, job: ActiveJob) -> ActiveJob | None:
        """One of the unfinished jobs that asks for the same, found without reading them all."""
