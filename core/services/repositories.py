"""The storage's ports: one protocol per table, and the session that joins them.

Methods that change a row say by their result whether they did, so that every transition can be
a compare-and-set. ``tilework.core.storage`` holds the one implementation.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from tilework.core.model.job_views import (
    Answer,
    ApiKeyView,
    BoundEventView,
    JobSolution,
    JobView,
    SolutionHead,
)
from tilework.core.model.jobs import NewJob
from tilework.core.model.solves import Puzzle, QueueCounts, Solve
from tilework.core.model.states import JobState, Queue, Tally
from tilework.core.model.statistics import SizeStatistics
from tilework.core.puzzle.moves import Moves, MoveSequence
from tilework.core.services.analyses.repositories import Analyses
from tilework.core.services.callbacks.repositories import Callbacks
from tilework.core.services.damage import Damage
from tilework.core.services.farm.repositories import Lives, Proofs, Slices, Workers
from tilework.core.services.history.repositories import History
from tilework.core.services.jobs.repositories import Batches, Idempotency, JobRuns
from tilework.core.services.lab.repositories import Comparisons, SearchRuns
from tilework.core.services.retention.repositories import Retention


class Solves(Protocol):
    """One row a canonical puzzle."""

    def find(self, key: str) -> Solve | None:
        """Return the solve of a canonical key, without locking it."""

    def known(self, key: str) -> tuple[Solve, MoveSequence | None] | None:
        """Return the solve of a canonical key with its best solution, as they are together."""

    def obtain(self, new_id: str, puzzle: Puzzle, lower_bound: int, now: float) -> Solve:
        """Return a puzzle's solve, locked; a new one is inserted with a proved bound."""

    def lock(self, solve_id: str) -> Solve:
        """Return a solve, locked until the transaction ends."""

    def puzzle(self, solve_id: str) -> Puzzle:
        """Return the canonical boards of a solve."""

    def moves(self, solve_id: str) -> Moves | None:
        """Return the best solution of the canonical board, None while there is none.

        It takes a byte a move; `Solutions` reads long ones in less.
        """

    def restore(self, solve_id: str, puzzle: Puzzle, now: float) -> None:
        """Write a locked solve's puzzle anew; it is to be saved after that."""

    def orphans(self) -> list[str]:
        """Return ids of active solves that no slice works on, at most 100."""


class Solutions(Protocol):
    """The best solution of each solve, in chunks where it is long."""

    def best(self, solve_id: str) -> MoveSequence | None:
        """Return the best solution of the canonical board, None while there is none."""

    def of_job(self, job_id: str) -> JobSolution | None:
        """Return which solution a job has now; None where there is no such job."""

    def read(self, head: SolutionHead, first: int = 0, end: int | None = None) -> MoveSequence:
        """Return a solution, of which only the moves from first up to end may be read.

        Raises
        ------
        ReplacedError
            If another one has taken its place.
        """


class Jobs(Protocol):
    """One row a request."""

    def add(self, jobs: Sequence[NewJob]) -> None:
        """Insert jobs that have ended already."""

    def view(self, job_id: str, now: float, *, brief: bool = False) -> JobView | None:
        """Return a job for people; a brief view is without the boards."""

    def version(self, job_id: str) -> str | None:
        """Return only the version of a job's view."""

    def of_client(
        self, client_id: str, most: int, before: str | None, now: float, cells: int
    ) -> list[JobView]:
        """Return a client's jobs, newest first, from before a job's id.

        Those with more cells than given are without their boards.
        """

    def among(self, ids: Collection[str], now: float, cells: int) -> list[JobView]:
        """Return jobs by their ids; those with more cells than given are without their boards."""

    def answer(self, job_id: str) -> Answer | None:
        """Return what a job's solution is made of."""

    def solve_of(self, job_id: str) -> str | None:
        """Return the id of a job's solve; None without a job or a solve."""

    def others(self, job_id: str, most: int) -> int:
        """Count the jobs of other clients on a job's solve, looking at so many at most."""

    def unfinished_of(self, client_id: str) -> int:
        """Count a client's unfinished jobs."""

    def unfinished(self) -> int:
        """Count the unfinished jobs of the whole service."""

    def due(self, now: float) -> list[str]:
        """Return ids of solves with a job past its deadline, at most 100."""

    def start_clocks(self, now: float) -> None:
        """Have the time of unfinished jobs begin now, where it was to begin later."""

    def postpone(self, solve_id: str, seconds: float) -> None:
        """Give the unfinished jobs of a solve so many seconds more."""


class Events(Protocol):
    """How bounds improved over time."""

    def of_job(self, job_id: str) -> list[BoundEventView]:
        """Return the events of a job's solve up to the job's end, oldest first, some hundreds."""


class ClientRows(Protocol):
    """Clients and their keys."""

    def add(self, client_id: str, now: float) -> None:
        """Insert a client unless it is there."""

    def exists(self, client_id: str) -> bool:
        """Whether there is such a client."""

    def turn(self, client_id: str) -> float:
        """Return the turn up to which a client's searches have used the farm."""

    def charge(self, client_id: str, least: float, amount: float) -> float:
        """Advance a client's turn; return where it was, but no less than a given turn.

        The row stays locked to the end of the transaction, which may hold one solve only.
        """

    def add_key(self, key: ApiKeyView, hash_: str) -> None:
        """Insert an API key."""

    def key(self, key_id: str) -> ApiKeyView | None:
        """Return a key."""

    def keys(self, client_id: str | None) -> list[ApiKeyView]:
        """Return all keys, or those of a client, oldest first."""

    def revoke(self, key_id: str, now: float) -> None:
        """Revoke a key; the first revocation counts."""

    def client_of(self, hash_: str) -> str | None:
        """Return the client whose unrevoked key has this hash."""


class Counts(Protocol):
    """Counts over whole tables."""

    def job_states(self) -> dict[JobState, int]:
        """Count the jobs by state."""

    def cached_jobs(self) -> int:
        """Count the jobs that were answered at once."""

    def sizes(self) -> list[SizeStatistics]:
        """Count the puzzles by size, smallest first."""

    def effort(self) -> tuple[int, float]:
        """Sum nodes and seconds over all solves."""

    def activity(self, now: float) -> tuple[float, int]:
        """Return nodes a second over all long searches, and how many workers take their slices."""

    def quarantined(self) -> int:
        """Count the slices that no worker takes for a while."""

    def queues(self, now: float) -> dict[Queue, QueueCounts]:
        """Count what waits and what runs, by queue; empty queues are missing."""


class TallyRows(Protocol):
    """Counts of what went wrong and was overcome."""

    def add(self, name: Tally, label: str, count: int) -> None:
        """Add to a count."""

    def read(self) -> dict[tuple[Tally, str], int]:
        """Return all counts by name and label."""


class Session(Protocol):
    """The repositories of one transaction."""

    @property
    def solves(self) -> Solves:
        """One row a canonical puzzle."""

    @property
    def damage(self) -> Damage:
        """Damaged rows."""

    @property
    def solutions(self) -> Solutions:
        """The best solution of each solve."""

    @property
    def jobs(self) -> Jobs:
        """One row a request."""

    @property
    def job_runs(self) -> JobRuns:
        """Jobs that runs of the lab answer."""

    @property
    def lives(self) -> Lives:
        """Where solves stand, and what was decided of them."""

    @property
    def slices(self) -> Slices:
        """One row a piece of work."""

    @property
    def proofs(self) -> Proofs:
        """Done slices as the proof of a bound."""

    @property
    def workers(self) -> Workers:
        """Who works, and what goes on."""

    @property
    def callbacks(self) -> Callbacks:
        """Calls to be made because a job has ended."""

    @property
    def tallies(self) -> TallyRows:
        """What went wrong and was overcome, counted."""

    @property
    def events(self) -> Events:
        """How bounds improved over time."""

    @property
    def clients(self) -> ClientRows:
        """Clients and their keys."""

    @property
    def batches(self) -> Batches:
        """Batches, and jobs as their lines."""

    @property
    def idempotency(self) -> Idempotency:
        """Which request a key stands for."""

    @property
    def runs(self) -> SearchRuns:
        """One row a run of the lab."""

    @property
    def comparisons(self) -> Comparisons:
        """One row a comparison, and one for each place in it."""

    @property
    def analyses(self) -> Analyses:
        """One row an analysis of a game."""

    @property
    def history(self) -> History:
        """What clients asked for, and how they call it."""

    @property
    def statistics(self) -> Counts:
        """Counts over whole tables."""

    @property
    def retention(self) -> Retention:
        """What is kept no longer."""
