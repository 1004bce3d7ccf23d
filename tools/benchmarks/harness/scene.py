"""A database with a search under way, and what requests and workers do to it, step by step."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from tilework.core.lab.method import Method
from tilework.core.lab.result import RunStatistics
from tilework.core.model.comparisons import ComparisonRequest
from tilework.core.model.job_options import JobOptions
from tilework.core.model.leases import Holder
from tilework.core.model.runs import RunFigures
from tilework.core.model.solves import Claim
from tilework.core.model.states import Queue, RunState
from tilework.core.model.tasks import Result, TaskClaim, TaskEnd
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import StopReason
from tilework.core.services.farm.lease_renewer import LeaseRenewer
from tilework.core.services.farm.leasing import Leasing
from tilework.core.services.farm.state_machine.events import InitialSearchEnded, SearchSliceEnded
from tilework.core.services.farm.state_machine.machine import StateMachine
from tilework.core.services.health import Health
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.jobs.read import ReadJob
from tilework.core.services.jobs.submission import Submission
from tilework.core.services.jobs.submit import SubmitJob
from tilework.core.services.lab.comparisons import ComparisonService
from tilework.core.services.ports import NoTickets
from tilework.core.services.reconciler import Reconciler
from tilework.core.settings import Settings
from tilework.core.solver.result import SearchResult
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit
from tilework.core.storage.database import Database
from tilework.core.storage.schema import upgrade

READY = 512

# Before anything is timed; then tables are analyzed, as PostgreSQL does by itself after a while.
WARM_TURNS = 20
METHODS = [Method.from_text(text) for text in ("a-star:manhattan", "breadth-first")]
CURSOR = bytes(range(90))
OWNER = "host:12345:0123abcd"


class Scene:
    """One database with a search under way, and each thing that is done to it as a method.

    Called one after the other in the order of `STEPS`, they leave things as they were.
    """

    def __init__(self, url: str, turns: int) -> None:
        upgrade(url)
        self.database = database = Database(url)
        settings = Settings(database_url=url)
        self._claims = Leasing(database, settings)
        self._state_machine = StateMachine(database, settings)
        self._submit = SubmitJob(database, NoTickets(), settings)
        self._read = ReadJob(database, NoTickets(), settings)
        self._reconcile = Reconciler(database, NoTickets(), settings)
        self._health = Health(database, NoTickets(), settings)
        self._renewer = LeaseRenewer(
            database, NoTickets(), settings, (Queue.INTERACTIVE,), self._state_machine
        )
        self._comparisons = ComparisonService(database, NoTickets(), settings)
        self._seeds = count(1)
        self._claim: Claim
        self._run: TaskClaim[Any]
        self._comparison = ""
        self.client = Clients(database).new()
        # Every other claim ends with nothing left.
        self.job = self._begin_search(READY + 2 * (turns + WARM_TURNS))
        solve_id = self._read.view(self.job).solve_id
        assert solve_id is not None
        self.solve_id = solve_id

    def _begin_search(self, ready: int) -> str:
        """Bring a 24-puzzle to where so many slices of a search are ready; return its job's id."""
        goal = blank_first(Size(5, 5))
        board = Board(goal.cells[::-1].copy(), 5, 5)
        job = self._submit(
            Submission(
                client_id=self.client,
                boards=[(board, goal)],
                options=JobOptions(time_limit_s=86_400.0),
            )
        )
        [opening] = self._claims.lease(Queue.INTERACTIVE, OWNER)
        found = SearchResult(100, None, "ida-star", stopped_by=StopReason.TIME)
        with self.database.writing() as session:
            now = time.time()
            opened = InitialSearchEnded(opening.slice, found, 100, WorkUnit(CURSOR, 1.0), now, 1.5)
            self._state_machine.apply_event(session, opening.slice.solve_id, opened, now)
        self.claim()
        self._end([WorkUnit(CURSOR, 1 / ready)] * ready)
        return job.id

    def claim(self) -> None:
        [self._claim] = self._claims.lease(Queue.SEARCH, OWNER)

    def look(self) -> None:
        with self.database.reading() as session:
            session.slices.needed([self._claim.slice.id], OWNER)
        self._renewer.farm_state(self.solve_id)

    def renew(self) -> None:
        with self.database.writing() as session:
            session.slices.renew([self._claim.slice.lease], time.time() + 60.0)

    def _end(self, remaining: Sequence[WorkUnit]) -> None:
        outcome = SliceOutcome(100_000_000, 102, None, tuple(remaining), "5x5 6-6-6-6")
        searched = SearchSliceEnded(
            self._claim.slice, outcome, 1.5, 0, lambda _count: [WorkUnit(CURSOR, 1.0)]
        )
        with self.database.writing() as session:
            self._state_machine.apply_event(
                session, self._claim.slice.solve_id, searched, time.time()
            )

    def finish(self) -> None:
        self._end([WorkUnit(CURSOR, self._claim.slice.share / 2)])

    def finish_empty(self) -> None:
        self._end([])

    def reconcile(self) -> None:
        self._reconcile.run_once()

    def post(self) -> None:
        goal = blank_first(Size(5, 5))
        board = scramble(goal.size, goal, next(self._seeds))
        self._submit(Submission(boards=[(board, goal)], client_id=self.client))

    def poll(self) -> None:
        self._read.version(self.job)

    def view(self) -> None:
        self._read.view(self.job)

    def health(self) -> None:
        self._health.check()
        self._read.queues()

    def compare(self) -> None:
        goal = blank_first(Size(4, 4))
        board = scramble(goal.size, goal, next(self._seeds))
        request = ComparisonRequest(client_id=self.client, start=board, goal=goal, methods=METHODS)
        self._comparison = self._comparisons.submit(request).id

    def poll_comparison(self) -> None:
        self._comparisons.version(self._comparison)

    def claim_run(self) -> None:
        now = time.time()
        with self.database.reading() as session:
            assert session.tasks.has_due(Queue.LAB)
        with self.database.writing() as session:
            [self._run] = session.tasks.claim(Queue.LAB, Holder(OWNER, now + 60.0), now)

    def look_run(self) -> None:
        with self.database.reading() as session:
            assert session.tasks.is_held(self._run.lease)

    def finish_run(self) -> None:
        figures = RunFigures(None, None, RunStatistics())
        end = TaskEnd(RunState.DONE, Result(figures.document()))
        with self.database.writing() as session:
            assert session.tasks.finish(self._run.lease, end, time.time())


STEPS: tuple[tuple[str, Callable[[Scene], None]], ...] = (
    ("slice: claim", Scene.claim),
    ("slice: look of its keeper", Scene.look),
    ("slice: lease made longer", Scene.renew),
    ("slice: end, one piece left", Scene.finish),
    ("", Scene.claim),
    ("slice: end, nothing left", Scene.finish_empty),
    ("one round of the reconciler", Scene.reconcile),
    ("job: post", Scene.post),
    ("job: poll", Scene.poll),
    ("job: view", Scene.view),
    ("queues and readiness", Scene.health),
    ("comparison: post", Scene.compare),
    ("comparison: poll", Scene.poll_comparison),
    ("run: claim", Scene.claim_run),
    ("run: look of its keeper", Scene.look_run),
    ("run: end", Scene.finish_run),
    ("", Scene.claim_run),
    ("", Scene.finish_run),
)
"""What is done, in turn; what has no name only makes way for the next turn."""
