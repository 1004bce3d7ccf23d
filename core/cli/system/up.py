"""``tilework up``: run the whole system on one machine, in one folder."""

from __future__ import annotations

import os
import secrets
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Annotated, Final
from urllib.parse import quote

import structlog
import typer

from tilework.core.cli.system.processes import (
    DEFAULT_PORT,
    LAB_QUEUES,
    MAX_WEB_PROCESSES,
    QUICK_QUEUES,
    SEARCH_QUEUES,
    check_settings,
    is_serving,
    local_url,
    lock_folder,
    port_sharing_web_command,
    reserve_port,
    web_count,
    web_programs,
    worker_command,
)
from tilework.core.cli.system.reaper import GRACE_S
from tilework.core.cli.system.supervisor import EmbeddedValkey, Program, Supervisor
from tilework.core.errors import SchemaError, UnavailableError
from tilework.core.logs import configure_logs
from tilework.core.machine import usable_processors, user_databases
from tilework.core.model.states import CounterName
from tilework.core.periodic_thread import PeriodicThread
from tilework.core.services.health import Counters
from tilework.core.settings import Settings, get_settings

_TICK_S: Final = 0.05
_DATABASE_RETRY_S: Final = 0.5
_SAVE_INTERVAL_S: Final = 1.0

log = structlog.get_logger()


def up(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            help="Port to listen on.  [default: 8000 or the next free port]", min=1, max=65535
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(help="Number of search workers.  [default: one per core]", min=1, max=1024),
    ] = None,
    web_processes: Annotated[
        int | None,
        typer.Option(
            help="Number of web processes.  [default: a quarter of the cores, at most 4]",
            min=1,
            max=MAX_WEB_PROCESSES,
        ),
    ] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Folder for all data.", file_okay=False)
    ] = None,
) -> None:
    """Run the whole system on this machine: database, broker, workers and web. Ctrl-C stops it."""
    settings = get_settings().model_copy(update={"data_dir": data_dir} if data_dir else {})
    check_settings(settings)
    configure_logs("up")
    lock = lock_folder(settings.data_dir.resolve(), timeout_s=GRACE_S + 1.0)
    chosen, reserved = reserve_port(host, port)
    if port is None and chosen != DEFAULT_PORT:
        log.warning("another program listens on the default port", port=DEFAULT_PORT)
    cores = usable_processors()
    system = System(
        settings, host, chosen, workers or cores, web_processes=web_count(web_processes, cores)
    )
    with reserved, Supervisor(held_fds=[lock], on_restart=system.count_restart) as supervisor:
        system.run(supervisor)
    log.info("stopped")


class System:
    """The programs of one machine, in start order.

    `workers` is the number of search workers; `make_web_command` returns the command of the web
    server for a host and a port.
    """

    def __init__(
        self,
        settings: Settings,
        host: str,
        port: int,
        workers: int,
        make_web_command: Callable[[str, int], list[str]] = port_sharing_web_command,
        *,
        web_processes: int = 1,
    ) -> None:
        from tilework.core.storage.database import Database

        self._counters = Counters(Database(settings.database))
        self.web: list[Program] = []
        self.workers: list[Program] = []
        self._settings = settings
        token = settings.operator_token
        self._operator_token = token.get_secret_value() if token else secrets.token_urlsafe(24)
        self._host = host
        self._port = port
        self._make_web_command = make_web_command
        self._web_processes = web_processes
        self._worker_count = workers
        # Lab workers run at a lower priority than search workers.
        self._lab_worker_count = max(1, workers // 2)
        # Not an event: its `set` would block a signal that interrupts its `wait`.
        self._is_stopping = False
        # Each worker that solves boards writes a byte when it is ready.
        self._ready, self._ready_writer = os.pipe()
        self._unready_workers = 1 + workers

    def count_restart(self, program: str) -> None:
        self._counters.increment(CounterName.RESTARTS, program)

    def run(self, supervisor: Supervisor, each_tick: Callable[[], object] = lambda: None) -> None:
        """Start and supervise everything until a signal; call `each_tick` 20 times per second."""
        self._handle_signals(supervisor)
        started = time.monotonic()
        environment = self._start_broker(supervisor)
        if environment is None:
            return
        PeriodicThread("counters", self._counters.save, _SAVE_INTERVAL_S).start()
        log.info("starting", workers=self._count_workers())
        command = self._make_web_command(self._host, self._port)
        variables = environment | {"TILEWORK_OPERATOR_TOKEN": self._operator_token}
        for program in web_programs(self._web_processes, command, variables, self._settings):
            self.web.append(supervisor.start(program))
        if self._settings.pdb_dir is None:
            _link_databases(self._settings.pdb_folder)
        self._start_workers(supervisor, environment, "interactive", QUICK_QUEUES, 1)
        self._start_workers(supervisor, environment, "search", SEARCH_QUEUES, self._worker_count)
        self._start_workers(supervisor, environment, "lab", LAB_QUEUES, self._lab_worker_count)
        is_ready = False
        while not self._is_stopping_after(_TICK_S):
            supervisor.restart_exited()
            each_tick()
            if not is_ready and self._are_workers_ready() and is_serving(self._host, self._port):
                is_ready = True
                self._announce(time.monotonic() - started)

    def _count_workers(self) -> int:
        return 1 + self._worker_count + self._lab_worker_count

    def _is_stopping_after(self, seconds: float) -> bool:
        time.sleep(seconds)
        return self._is_stopping

    def _are_workers_ready(self) -> bool:
        if self._unready_workers > 0 and select.select([self._ready], [], [], 0)[0]:
            self._unready_workers -= len(os.read(self._ready, self._unready_workers))
        return self._unready_workers == 0

    def _start_broker(self, supervisor: Supervisor) -> dict[str, str] | None:
        """Start the broker; return the environment for the others, or None after a signal."""
        settings = self._settings
        environment = os.environ | {"TILEWORK_DATA_DIR": str(settings.data_dir.resolve())}
        if settings.broker_url:
            return environment if self._upgrade(supervisor) else None
        valkey = EmbeddedValkey(settings.data_dir / "broker")
        supervisor.start(valkey.program())
        if not self._upgrade(supervisor):
            return None
        valkey.wait_until_ready(supervisor)
        return environment | {"TILEWORK_BROKER_URL": valkey.url}

    def _upgrade(self, supervisor: Supervisor) -> bool:
        """Wait for the database and migrate it; return False after a signal."""
        from tilework.core.cli.system.database import reachable_database
        from tilework.core.storage.schema import upgrade

        last_reason = ""
        while not self._is_stopping:
            try:
                with reachable_database():
                    upgrade(self._settings.database)
            except SchemaError:
                raise
            except UnavailableError as error:
                if self._settings.database.startswith("sqlite"):
                    raise
                if str(error) != last_reason:
                    last_reason = str(error)
                    log.warning("waiting for the database", reason=last_reason)
            else:
                return True
            supervisor.restart_exited()
            time.sleep(_DATABASE_RETRY_S)
        return False

    def _start_workers(
        self,
        supervisor: Supervisor,
        environment: dict[str, str],
        role: str,
        queues: Sequence[str],
        count: int,
    ) -> None:
        for number in range(1, count + 1):
            name = f"{role}-{number}"
            command = worker_command(queues, name)
            pass_fds: tuple[int, ...] = ()
            if queues is not LAB_QUEUES:
                command += ["--ready-fd", str(self._ready_writer)]
                pass_fds = (self._ready_writer,)
            program = Program(name, command, environment, pass_fds)
            self.workers.append(supervisor.start(program))

    def _announce(self, seconds: float) -> None:
        log.info("serving", seconds=round(seconds, 2), workers=self._count_workers())
        url = local_url(self._host, self._port)
        lines = [
            f"Tilework is ready at {url} (Ctrl-C stops it)",
            f"Operator's page: {url}/operator?token={quote(self._operator_token, safe='')}",
        ]
        if sys.stdout.isatty():  # stands out between the lines of the log
            edge = "─" * max(map(len, lines))
            lines = ["", edge, *lines, edge, ""]
        print("\n".join(lines), flush=True)

    def _handle_signals(self, supervisor: Supervisor) -> None:
        def stop(_signal: int, _frame: FrameType | None) -> None:
            if self._is_stopping:
                supervisor.kill()  # second signal
            self._is_stopping = True

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, stop)


def _link_databases(folder: Path) -> None:
    """Share the pattern databases that commands have built, instead of building them again."""
    with suppress(OSError):  # for example, no links across file systems
        folder.mkdir(exist_ok=True)
        for file in user_databases().glob("*.pdb"):
            if not (folder / file.name).exists():
                (folder / file.name).hardlink_to(file)
