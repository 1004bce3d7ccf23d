"""A system of real processes, and checks that must pass whatever fails."""

import random
from functools import cache
from pathlib import Path
from typing import NamedTuple

from redis import Redis
from sqlalchemy import select

from tests.support import naive
from tests.support.forked_process import ForkedWorker
from tilework.core.assembly import Services
from tilework.core.cli.supervisor import EmbeddedValkey, Supervisor
from tilework.core.model.job_options import JobOptions
from tilework.core.model.jobs import JobView
from tilework.core.model.states import JobState, SliceKind, SliceState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.jobs.submit import Submission
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.models import job as job_
from tilework.core.storage.models import slice_
from tilework.worker.tickets import CeleryTickets

SETTINGS = {
    # Short, so that the leases of a killed worker expire soon.
    "lease_s": 3.0,
    # Also short: a search that takes seconds has as many slices as one that takes hours.
    "open_slice_s": 0.1,
    "search_slice_s": 0.2,
    # The quick databases are enough; others might be built during a test.
    "pdb_build": False,
}

# A random walk of 235 moves from the goal; 130 million nodes with the quick databases.
LONG_TILES = (
    2, 8, 17, 3, 10, 11, 12, 4, 7, 18, 15, 0, 6, 23, 9, 19, 24, 22, 5, 13, 21, 16, 1, 14, 20
)  # fmt: skip
LONG_LENGTH = 75


@cache
def compute_lengths() -> dict[tuple[int, ...], int]:
    return naive.distances(naive.solved_tiles(3, 3), 3)


def sample_boards(count: int, seed: int) -> list[Board]:
    boards = random.Random(seed).sample(sorted(compute_lengths()), count)
    return [Board(tiles, 3, 3) for tiles in boards]


class SliceRow(NamedTuple):
    id: str
    state: str
    threshold: int
    nodes: int
    attempts: int


class RealSystem:
    """A system of real processes in one folder, without the web server."""

    def __init__(
        self, folder: Path, supervisor: Supervisor, database_url: str, databases_dir: Path
    ) -> None:
        self._supervisor = supervisor
        self._valkey = EmbeddedValkey(folder / "broker")
        self._broker = supervisor.start(self._valkey.program())
        self._valkey.wait_until_ready(supervisor)
        self.settings = Settings(
            data_dir=folder,
            database_url=database_url,
            broker_url=self._valkey.url,
            pdb_dir=databases_dir,
            **SETTINGS,
        )
        self.tickets = CeleryTickets(self._valkey.url)
        self.services: Services = Services(self.settings, self.tickets)
        self.client = self.services.clients.new()
        self.search_slice_s = self.settings.search_slice_s
        self._database = Database(database_url)
        self._workers: list[ForkedWorker] = []

    def submit(self, board: Board, seconds: float | None = None) -> str:
        submission = Submission(
            client_id=self.client,
            boards=[(board, blank_last(Size(board.width, board.height)))],
            options=JobOptions(time_limit_s=seconds),
        )
        return self.services.submit(submission).id

    def start_worker(self) -> ForkedWorker:
        """Start a worker for all queues; return when its kernels are loaded."""
        worker = ForkedWorker(self._environment)
        self._workers.append(worker)
        return worker

    @property
    def _environment(self) -> dict[str, str]:
        return {
            "TILEWORK_DATA_DIR": str(self.settings.data_dir),
            "TILEWORK_DATABASE_URL": self.settings.database_url,
            "TILEWORK_BROKER_URL": self.settings.broker_url,
            "TILEWORK_PDB_DIR": str(self.settings.pdb_folder),
            **{f"TILEWORK_{name.upper()}": str(value) for name, value in SETTINGS.items()},
            "TILEWORK_SEARCH_SLICE_S": str(self.search_slice_s),
        }

    def close(self) -> None:
        for worker in self._workers:
            worker.kill()
            worker.wait()
        self.tickets.close()
        self.services.storage.dispose()
        self._database.dispose()

    def read_search_slices(self) -> dict[str, SliceRow]:
        """Return every stored search slice, by id."""
        columns = (getattr(slice_.c, name) for name in SliceRow._fields)
        query = select(*columns).where(slice_.c.kind == SliceKind.SEARCH)
        with self._database.engine(writes=False).connect() as connection:
            return {row.id: SliceRow(*row) for row in connection.execute(query)}

    def read_leased_slices(self) -> set[str]:
        """Return the ids of the search slices that are leased."""
        rows = self.read_search_slices().values()
        return {row.id for row in rows if row.state == SliceState.LEASED}

    def flush_broker(self) -> None:
        with Redis(unix_socket_path=str(self._valkey.socket)) as redis:
            redis.flushall()

    def stop_broker(self) -> None:
        process = self._broker.process
        assert process is not None
        process.kill()
        process.wait()

    def restart_broker(self) -> None:
        self._valkey.wait_until_ready(self._supervisor)

    def view(self, job: str) -> JobView:
        return self.services.read.view(job)

    def has_ended(self, job: str) -> bool:
        return self.view(job).state.terminal

    def count_ended(self, jobs: list[str]) -> int:
        query = select(job_.c.state).where(job_.c.id.in_(jobs))
        with self._database.engine(writes=False).connect() as connection:
            return sum(JobState(state).terminal for (state,) in connection.execute(query))

    def assert_all_optimal(self, boards: list[Board], jobs: list[str]) -> None:
        """Check that every job is optimal and its solution, replayed by the oracle, has the right
        length.
        """
        for board, job in zip(boards, jobs, strict=True):
            assert self.view(job).state == "optimal"
            tiles = tuple(board.cells.tolist())
            assert self.replay_solution(board, job) == compute_lengths()[tiles]

    def replay_solution(self, board: Board, job: str) -> int:
        """Replay a job's solution with the oracle; return its length."""
        moves = "".join("UDLR"[code] for code in self.services.read.solution(job).moves)
        tiles = naive.apply_moves(tuple(board.cells.tolist()), board.width, moves)
        assert tiles == naive.solved_tiles(board.width, board.height)
        return len(moves)
