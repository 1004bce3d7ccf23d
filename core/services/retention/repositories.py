"""The storage's port for what is kept no longer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Kind(StrEnum):
    """Rows that are deleted once they are old and nothing refers to them any more."""

    BATCH = "batch"
    COMPARISON = "comparison"
    RUN = "run"
    ANALYSIS = "analysis"
    MARK = "mark"
    CLIENT = "client"


@dataclass(frozen=True, slots=True)
class OldJob:
    """A job whose time is over, and what it was asked of."""

    id: str
    solve_id: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the old rows of a kind, in the order of their ids.

    Attributes
    ----------
    last : str or None
        The last id that was looked at; None where there are no more.
    unused : list of str
        Those among them that nothing refers to.
    """

    last: str | None
    unused: list[str]


class Retention(Protocol):
    """Deletes what is kept no longer, a few rows at a time."""

    def drop_keys(self, before: float, most: int) -> int:
        """Delete idempotency keys that were registered before a time; return how many."""

    def old_jobs(self, before: float, most: int) -> list[OldJob]:
        """Return jobs that ended, and could have lasted until, before a time; locked."""

    def drop_surplus_slices(self, solve_ids: Collection[str], most: int) -> int:
        """Delete finished slices of settled solves that prove nothing; return how many."""

    def drop_history(self, solve_ids: Collection[str], but_for: Collection[str], most: int) -> int:
        """Delete the history of solves that no other jobs belong to, all but its end."""

    def drop_jobs(self, job_ids: Collection[str]) -> None:
        """Delete locked jobs, with the calls that are to be made at their end."""

    def old(self, kind: Kind, before: float, after: str, most: int) -> Page:
        """Look at rows of a kind that were made before a time, from after an id."""

    def drop(self, kind: Kind, ids: Collection[str]) -> None:
        """Delete those of these rows that nothing refers to, past those that others have locked."""
