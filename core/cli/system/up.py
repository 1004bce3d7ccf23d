"""``tilework up``: the whole system on one machine, from one command, in one folder."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Annotated, Final

import structlog
import typer

from tilework.core.cli.system.embedded_valkey import EmbeddedValkey
from tilework.core.cli.system.folder_lock import lock_folder
from tilework.core.cli.system.reaper import GRACE_S
from tilework.core.cli.system.roles import (
    LAB_QUEUES,
    MOST,
    QUICK_QUEUES,
    SEARCH_QUEUES,
    hold_port,
    is_serving,
    local_url,
    web_command,
    web_count,
    web_programs,
    worker_command,
)
from tilework.core.cli.system.supervisor import Child, Program, Supervisor
from tilework.core.errors import UnavailableError
from tilework.core.logs import configure_logs
from tilework.core.machine import usable_processors
from tilework.core.model.states import CounterName
from tilework.core.services.counters import Counters
from tilework.core.settings import Settings, get_settings

_TICK_S: Final = 0.05
_DATABASE_PAUSE_S: Final = 0.5

log = structlog.get_logger()


def up(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            help="Port to listen on; without it 8000 or the next free one.", min=1, max=65535
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(help="Search workers; without it one for each core.", min=1, max=1024),
    ] = None,
    web_processes: Annotated[
        int | None,
        typer.Option(
            help="Web processes; without it a quarter of the cores, four at most.", min=1, max=MOST
        ),
    ] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Folder for everything that is kept.", file_okay=False)
    ] = None,
) -> None:
    """Run the whole system on this machine: database, broker, workers and web. Ctrl-C stops it."""
    settings = get_settings().model_copy(update={"data_dir": data_dir} if data_dir else {})
    configure_logs("up")
    lock = lock_folder(settings.data_dir.resolve(), patience_s=GRACE_S + 1.0)
    port, held = hold_port(host, port)
    tallied = Tallied(settings)
    cores = usable_processors()
    webs = web_count(web_processes, cores)
    system = System(settings, host, port, workers or cores, tallied=tallied, webs=webs)
    with held, Supervisor(held_fds=[lock], restarts=tallied.restarted) as supervisor:
        system.run(supervisor)
    log.info("stopped")


class System:
    """The programs of one machine, in the order in which they can start.

    `workers` take long searches; `serve` returns the web's command for a host and a port.
    """

    def __init__(
        self,
        settings: Settings,
        host: str,
        port: int,
        workers: int,
        serve: Callable[[str, int], list[str]] = web_command,
        *,
        tallied: Tallied | None = None,
        webs: int = 1,
    ) -> None:
        self._tallied = tallied or Tallied(settings)
        self.web: list[Child] = []
        self.workers: list[Child] = []
        self._settings = settings
        self._host = host
        self._port = port
        self._serve = serve
        self._webs = webs
        self._workers = workers
        # At a lower priority than the searches.
        self._lab_workers = max(1, workers // 2)
        self._stop = threading.Event()
        # Each worker that solves boards writes a byte once it is about to take work.
        self._ready, self._ready_writer = os.pipe()
        self._not_ready = 1 + workers

    def run(self, supervisor: Supervisor, each_tick: Callable[[], object] = bool) -> None:
        """Start everything, supervise it until a signal; call ``each_tick`` 20 times a second."""
        self._handle_signals(supervisor)
        began = time.monotonic()
        environment = self._start_broker(supervisor)
        if environment is None:
            return
        self._tallied.start()
        command = self._serve(self._host, self._port)
        for program in web_programs(self._webs, command, environment, self._settings):
            self.web.append(supervisor.start(program))
        self._start_workers(supervisor, environment, "interactive", QUICK_QUEUES, 1)
        self._start_workers(supervisor, environment, "search", SEARCH_QUEUES, self._workers)
        self._start_workers(supervisor, environment, "lab", LAB_QUEUES, self._lab_workers)
        ready = False
        while not self._stop.wait(_TICK_S):
            supervisor.tend()
            each_tick()
            if not ready and self._takes_work() and is_serving(self._host, self._port):
                ready = True
                self._announce(time.monotonic() - began)

    def _takes_work(self) -> bool:
        if self._not_ready > 0 and select.select([self._ready], [], [], 0)[0]:
            self._not_ready -= len(os.read(self._ready, self._not_ready))
        return self._not_ready == 0

    def _start_broker(self, supervisor: Supervisor) -> dict[str, str] | None:
        """Return the environment of all others; None where a signal came first."""
        settings = self._settings
        environment = os.environ | {"TILEWORK_DATA_DIR": str(settings.data_dir.resolve())}
        if settings.broker_url:
            return environment if self._upgrade(supervisor) else None
        valkey = EmbeddedValkey(settings.data_dir / "broker", self._tallied.damaged)
        child = supervisor.start(valkey.program())
        if not self._upgrade(supervisor):
            return None
        valkey.await_answer(supervisor, child)
        return environment | {"TILEWORK_BROKER_URL": valkey.url}

    def _upgrade(self, supervisor: Supervisor) -> bool:
        """Migrate the database once it answers; False if a signal came first."""
        from tilework.core.cli.system.database import reachable_database
        from tilework.core.storage.schema import upgrade

        told = ""
        while not self._stop.is_set():
            try:
                with reachable_database():
                    upgrade(self._settings.database)
            except UnavailableError as error:
                if self._settings.database.startswith("sqlite"):
                    raise
                if str(error) != told:
                    told = str(error)
                    log.warning("waiting for the database", reason=told)
            else:
                return True
            supervisor.tend()
            self._stop.wait(_DATABASE_PAUSE_S)
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
            passed: tuple[int, ...] = ()
            if queues is not LAB_QUEUES:
                command += ["--ready-fd", str(self._ready_writer)]
                passed = (self._ready_writer,)
            program = Program(name, command, environment, passed)
            self.workers.append(supervisor.start(program))

    def _announce(self, seconds: float) -> None:
        log.info(
            "serving", seconds=round(seconds, 2), workers=1 + self._lab_workers + self._workers
        )
        print(f"Tilework is ready at {local_url(self._host, self._port)} (Ctrl-C stops it)")
        sys.stdout.flush()

    def _handle_signals(self, supervisor: Supervisor) -> None:
        def stop(_signal: int, _frame: FrameType | None) -> None:
            if self._stop.is_set():
                supervisor.kill()  # asked twice: stop at once
            self._stop.set()

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, stop)


_SAVE_EVERY_S: Final = 1.0


class Tallied:
    """Counts at once, and saves from a thread of its own: the database may be away."""

    def __init__(self, settings: Settings) -> None:
        from tilework.core.storage.database import Database

        self._tallies = Counters(Database(settings.database))
        self._thread = threading.Thread(target=self._run, name="tallies", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def restarted(self, program: str) -> None:
        self._tallies.note(CounterName.RESTARTS, program)

    def damaged(self) -> None:
        self._tallies.note(CounterName.DAMAGED_FILES, "broker")

    def _run(self) -> None:
        while True:
            with suppress(Exception):  # an unreachable database: the counts are kept
                self._tallies.save()
            threading.Event().wait(_SAVE_EVERY_S)
