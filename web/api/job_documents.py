"""The API's documents of jobs: one job, the history of its bounds, a page of jobs."""

from __future__ import annotations

from pydantic import BaseModel, Field

from tilework.core.puzzle.moves import MoveSequence, to_letters
from tilework.core.puzzle.slides import slides_in
from tilework.core.services.jobs.document import JobOutline, Seconds
from tilework.web.api.documents import Document, PackedTiles, Told


class BriefJobDocument(JobOutline):
    """A job and where it stands, without its boards."""

    message: Told


class JobDocument(BriefJobDocument):
    """A job and where it stands."""

    board: PackedTiles = Field(validation_alias="board_bytes")
    goal: PackedTiles = Field(validation_alias="goal_bytes")


class Solved(BaseModel):
    """What is added where a job was answered at once."""

    moves: str | None = Field(
        None, description="As in a solution; null where it is long: follow links.solution"
    )

    slides: int | None = Field(
        None, description="Of the moves: those of tiles of a line that go together count once"
    )

    def with_moves(self, moves: MoveSequence) -> None:
        """Add the solution."""
        self.moves = to_letters(moves)
        self.slides = slides_in(moves)


class SolvedJobDocument(Solved, JobDocument):
    """A job that was answered at once, with its solution."""


class BriefSolvedJobDocument(Solved, BriefJobDocument):
    """A job that was answered at once, with its solution and without its boards."""


class JobsDocument(Document):
    """A page of jobs, newest first."""

    jobs: list[JobDocument]
    next: str | None = Field(description="Address of the page after this one")


class BriefJobsDocument(Document):
    """A page of jobs without their boards, newest first."""

    jobs: list[BriefJobDocument]
    next: str | None = Field(description="Address of the page after this one")


class BoundEventDocument(Document):
    """A moment at which a bound improved, and the nodes spent by then."""

    time: Seconds
    lower_bound: int
    upper_bound: int | None
    nodes: int
    number: int = Field(
        description="Counts from 1; where numbers are missing, moments in between are left out"
    )


class HistoryDocument(Document):
    """How a job's bounds improved, in the order of time."""

    events: list[BoundEventDocument] = Field(
        description="At most some hundreds, the first and the last among them"
    )
