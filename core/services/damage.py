"""Rows that were found damaged and set aside, as the services see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from tilework.core.messages import Message
from tilework.core.model.solves import Puzzle

RECORD_LOST: Final = Message(
    "record-damaged",
    "What was stored of this job was found damaged; submit the board again.",
)
"""Why a job has failed whose row could not be trusted any more."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a row."""

    table: str
    row_id: str
    reason: str


class Damage(Protocol):
    """Damaged rows; nothing here trusts what a row says.

    Tables are ``solve``, ``job``, ``slice``, those of runs, comparisons, analyses, batches and
    marks and, for the slices of a solve taken together, ``work`` with the solve's id.
    """

    def lock(self, solve_id: str) -> bool:
        """Lock a solve whatever is in its row; False where there is none."""

    def fault(self, table: str, row_id: str) -> str | None:
        """Return why a row is not what was written; None where it is, or is not there."""

    def set_aside(self, table: str, row_id: str, reason: str, now: float) -> None:
        """Keep a row as it is for the operator; of very many, the newest."""

    def count(self) -> int:
        """Return how many rows were ever set aside."""

    def puzzle(self, solve_id: str) -> Puzzle | None:
        """Return which puzzle a damaged solve is about; None where nothing tells any more."""

    def key_taken(self, key: str, but: str) -> bool:
        """Whether another solve has a key."""

    def asked_for(self, solve_id: str) -> bool:
        """Whether a solve has a job that is unfinished."""

    def last_epoch(self, solve_id: str) -> int:
        """Return the last epoch of which a solve has slices."""

    def slice_facts(self, slice_id: str) -> tuple[str, str, int] | None:
        """Return a slice's solve, its state and its threshold, as they stand."""

    def unfinished_slices(self, solve_id: str) -> Iterator[str]:
        """Yield the ids of a solve's slices that are not done."""

    def drop_slice(self, slice_id: str) -> None:
        """Delete a slice."""

    def solve_of(self, table: str, row_id: str) -> str | None:
        """Return the solve of a job or a slice, as it stands; other rows have none."""

    def total(self, table: str) -> int:
        """Count the rows of a table."""

    def ids(self, table: str, after: str, most: int) -> list[str]:
        """Return ids of a table in their order, from after one."""

    def abandon_job(self, job_id: str, now: float) -> None:
        """End a job as failed, whatever its row says, and part it from its solve."""

    def repair(self, table: str, row_id: str, now: float) -> None:
        """Make a row of another table anew out of what is sound in it, or delete it."""

    def abandon_solve(self, solve_id: str, now: float) -> None:
        """Delete a locked solve of which nobody knows the puzzle; its jobs have none then."""
