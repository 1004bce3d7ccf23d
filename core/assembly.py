"""Composition root: creates all services and connects them to the database.

Importing this module must not load a solver, because the web uses `Services`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tilework.core.model.states import Queue
from tilework.core.puzzle.board import Size
from tilework.core.services.certificates.reader import CertificateReader
from tilework.core.services.comparisons import ComparisonService
from tilework.core.services.farm.state_machine.machine import restart_solve
from tilework.core.services.health import Health
from tilework.core.services.history import History
from tilework.core.services.jobs.batches import ReadBatch, SubmitBatch
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.jobs.hints import GiveHint
from tilework.core.services.jobs.jobs import JobService
from tilework.core.services.jobs.solutions import ReadSolutionParts
from tilework.core.services.jobs.submit import SubmitJob
from tilework.core.services.operation import Operation
from tilework.core.services.tasks.questions import GameService, ShortestPathsService
from tilework.core.services.tickets import Tickets
from tilework.core.services.webhooks import Webhooks
from tilework.core.settings import Settings
from tilework.core.solver.pdb.builds import BuildProgress, read_build_progress
from tilework.core.storage.database import FEW_CONNECTIONS, Database

if TYPE_CHECKING:
    from tilework.core.services.tasks.task_worker import TaskWorker


class Services:
    """All services except the workers, for the web and the command line.

    No connection is opened before the first use, so this can run before a fork. ``connections`` is
    passed to `Database`.
    """

    def __init__(
        self, settings: Settings, tickets: Tickets, connections: int = FEW_CONNECTIONS
    ) -> None:
        database = make_database(settings, connections)
        self.settings = settings
        self.storage = database
        self.submit = SubmitJob(database, tickets, settings)
        self.submit_batch = SubmitBatch(database, tickets, settings)
        self.hint = GiveHint(database, tickets, settings)
        self.read = JobService(database, tickets, building=partial(_building, settings.pdb_folder))
        self.read_parts = ReadSolutionParts(database)
        self.read_batch = ReadBatch(database)
        self.certificate = CertificateReader(database)
        self.cancel = self.read.cancel
        self.clients = Clients(database)
        self.health = Health(database, tickets, settings)
        self.comparisons = ComparisonService(database, tickets, settings)
        self.games = GameService(database, tickets)
        self.ways = ShortestPathsService(database, tickets)
        self.history = History(database, self.comparisons)
        self.webhooks = Webhooks(database, settings)
        self.operation = Operation(database, settings, self.read)


def make_task_worker(settings: Settings, database: Database, queue: Queue) -> TaskWorker:
    """Create the worker of a queue of tasks, and load what these tasks need."""
    from tilework.core.services.tasks.task_worker import TaskWorker

    if queue is Queue.LAB:
        from tilework.core.services.tasks.lab_engine import run_search

        return TaskWorker(database, settings, queue, run_search)
    from tilework.core.services.tasks.solver_engine import SolverEngine

    return TaskWorker(database, settings, queue, SolverEngine(settings.pdb_folder))


def make_database(settings: Settings, connections: int = FEW_CONNECTIONS) -> Database:
    """Return the database of the settings, whose damaged solves start again."""
    database = Database(settings.database, connections)
    database.on_damage = partial(restart_solve, database)
    return database


def _building(pdb_folder: Path, size: Size) -> BuildProgress | None:
    progress = read_build_progress(pdb_folder)
    titles = (f"{size.width}x{size.height} ", f"{size.height}x{size.width} ")
    return progress if progress is not None and progress.partition.startswith(titles) else None
