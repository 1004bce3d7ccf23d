"""The parts of a worker process, which Celery starts before its consumer and stops after it."""

from __future__ import annotations

import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import structlog
from celery import bootsteps, signals
from celery.apps.worker import Worker
from kombu import Message

from tilework.core.assembly import make_database, make_task_worker
from tilework.core.compiling import loading
from tilework.core.errors import OptionError, TileworkError, UnavailableError
from tilework.core.links import with_job_links
from tilework.core.logs import FailureLog
from tilework.core.machine import release_memory, share_arenas
from tilework.core.model.farm.workload import WorkReport
from tilework.core.model.states import TASK_QUEUES, CounterName, Queue
from tilework.core.periodic_thread import PeriodicThread
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.health import Counters
from tilework.core.services.purger import Purger
from tilework.core.services.reconciler import Reconciler
from tilework.core.services.tasks.callbacks import CallbackDelivery
from tilework.core.services.tickets import announce
from tilework.core.settings import Settings, get_settings
from tilework.core.solver.kernel_sets import (
    EIGHT_PUZZLE,
    FIFTEEN_PUZZLE,
    LARGE_BOARDS,
    KernelSet,
    compile_kernel_set,
)
from tilework.core.solver.optimal.engine_choice import select_engine
from tilework.core.storage.database import Database
from tilework.core.tracing import start_tracing
from tilework.worker.app import QUEUES, work
from tilework.worker.consumer import ShutdownSignal, exit_at_once
from tilework.worker.heartbeat import touch_heartbeat_files
from tilework.worker.tickets import CeleryTickets
from tilework.worker.webhooks import HttpCallbackSender

_DATABASE_PAUSE_S = 1.0

_SUSPENDED_PAUSE_S = 0.5

Service = Callable[[str, Callable[[], bool]], WorkReport]
"""Works on a queue for about a second, as the owner of its leases, until it should pause."""

log = structlog.get_logger()
_working = FailureLog("working on a queue")

RECONCILE_S: Final = 1.0
"""Seconds between two reconciliations."""


class WorkerProcess(bootsteps.StartStopStep):  # type: ignore[misc]
    """The services, threads and heartbeat of a worker; the work itself is called by `work`."""

    def __init__(self, worker: Worker, ready_fd: int | None = None, **options: Any) -> None:
        super().__init__(worker, **options)
        self._ready_fd = ready_fd
        # In the order in which they are served, whatever the order on the command line.
        self._queues = [name for name in QUEUES if name in worker.app.amqp.queues.consume_from]
        worker.app.amqp.queues.select(self._queues)
        self._owner = f"{worker.hostname}:{secrets.token_hex(4)}"
        self._should_stop = ShutdownSignal()
        self._stops: list[Callable[[], object]] = []

    def start(self, worker: Worker) -> None:
        try:
            self._start(worker, get_settings())
        except TileworkError as error:
            print(f"tilework worker: {error}", file=sys.stderr)
            raise SystemExit(2) from None

    def stop(self, worker: Worker) -> None:
        while self._stops:
            with suppress(Exception):  # for example, the database is unreachable
                self._stops.pop()()

    terminate = stop

    def _start(self, worker: Worker, settings: Settings) -> None:
        if not settings.broker:
            raise OptionError(
                "no-broker",
                "a worker needs a broker; set TILEWORK_BROKER_URL, as in {example}",
                example="redis://localhost:6379/0",
            )
        self._should_stop.watch()
        # Whatever the database does: while it is away or hangs, a restart would not help.
        self._run_thread("alive", lambda: touch_heartbeat_files(_is_connected(worker)))
        signals.worker_shutdown.connect(exit_at_once, weak=False)
        start_tracing(settings, "tilework-worker")
        share_arenas()
        uses_solver = any(name != Queue.LAB for name in self._queues)
        if uses_solver:
            compile_kernel_set(EIGHT_PUZZLE)
        database = make_database(settings)
        self._await_schema(database)
        counters = Counters(database)
        count = partial(counters.increment, CounterName.FOREIGN_MESSAGES)

        def count_message(message: Message, **_details: Any) -> None:
            count(message.delivery_info["routing_key"])

        for rejected in (signals.task_unknown, signals.task_rejected):
            rejected.connect(count_message, weak=False)
        tickets = CeleryTickets(settings.broker, count)
        self._stops.append(tickets.close)
        heartbeat = None
        if Queue.SEARCH in self._queues:
            heartbeat = Heartbeat(database, self._owner, version=version("tilework"))
            self._stops.append(heartbeat.leave)
        self._start_threads(settings, database, tickets, heartbeat, counters)
        preparation = None
        if uses_solver:
            preparation = self._make_preparation(settings, tickets, heartbeat)
            signals.worker_ready.connect(lambda **_details: preparation.start(), weak=False)
        services = self._connect_queues(settings, database, tickets, preparation)
        work.serve = partial(self._serve, services, tickets, heartbeat)
        work.claimed = partial(_claimed, database, self._owner)
        signals.worker_ready.connect(self._report_ready, weak=False)

    def _report_ready(self, **_details: Any) -> None:
        log.info("ready", queues=",".join(self._queues))
        if self._ready_fd is not None:
            os.write(self._ready_fd, b"\n")
            os.close(self._ready_fd)

    def _await_schema(self, database: Database) -> None:
        checking = FailureLog("checking the schema of the database")
        while True:
            try:
                database.check_schema()
                break
            except Exception as error:
                # It may still be starting, or refuse connections; drivers raise different errors.
                checking.fail(str(error))
            if self._should_stop():
                raise SystemExit(os.EX_OK)
            time.sleep(_DATABASE_PAUSE_S)
        database.dispose()

    def _start_threads(
        self,
        settings: Settings,
        database: Database,
        tickets: CeleryTickets,
        heartbeat: Heartbeat | None,
        counters: Counters,
    ) -> None:
        reconciler, purger = Reconciler(database, tickets), Purger(database, settings)

        def keep_house() -> None:
            release_memory()
            if heartbeat is not None:
                heartbeat.beat()
            reconciler.run_once()
            purger.run_once()
            counters.save()

        callbacks = CallbackDelivery(
            database, settings, HttpCallbackSender(settings), with_job_links
        )

        def call_back() -> None:
            while not self._should_stop() and callbacks.run_once(self._owner):
                pass

        self._run_thread("reconciler", keep_house)
        if callbacks.is_enabled:
            self._run_thread("callbacks", call_back)

    def _run_thread(self, name: str, run_once: Callable[[], object]) -> None:
        thread = PeriodicThread(name, run_once, RECONCILE_S)
        thread.start()
        self._stops.append(thread.stop)

    def _make_preparation(
        self, settings: Settings, tickets: CeleryTickets, heartbeat: Heartbeat | None
    ) -> KernelPreparation:
        from tilework.core.solver.pdb.builder import DatabaseBuilding

        def start_building() -> None:
            # Started late, so that the machine is idle for the first boards.
            if settings.pdb_build:
                builder = DatabaseBuilding(settings.pdb_folder, settings.pdb_budget)
                self._stops.append(builder.stop)
                builder.start()

        def announce_ready(max_cells: int | None) -> None:
            if heartbeat is not None and max_cells is None:
                # If this fails, the reconciler's next round reports it.
                with suppress(UnavailableError):
                    heartbeat.report_ready()
            announce(tickets, [Queue(name) for name in self._queues])

        kernel_sets = [FIFTEEN_PUZZLE, LARGE_BOARDS]
        preparation = KernelPreparation(
            kernel_sets, settings.pdb_folder, announce_ready, start_building
        )
        self._stops.append(preparation.stop)
        if heartbeat is not None:
            with suppress(UnavailableError):
                heartbeat.report_preparing(preparation.seconds)
        return preparation

    def _connect_queues(
        self,
        settings: Settings,
        database: Database,
        tickets: CeleryTickets,
        preparation: KernelPreparation | None,
    ) -> Mapping[str, Service]:
        """Connect each queue to its service."""
        services: dict[str, Service] = {}
        solver_queues = [Queue(name) for name in self._queues if name not in TASK_QUEUES]
        if solver_queues:
            # A worker of the lab needs no solver.
            from tilework.core.services.farm.local_solver import LocalSolver
            from tilework.core.services.farm.slice_worker import SliceWorker

            slices = SliceWorker(
                database,
                tickets,
                settings,
                LocalSolver(settings.pdb_folder),
                queues=solver_queues,
                max_cells=lambda: None if preparation is None else preparation.max_cells,
            )
            services |= {queue: partial(slices.run, queue) for queue in solver_queues}
        for queue in TASK_QUEUES:
            if queue in self._queues:
                services[queue] = make_task_worker(settings, database, queue).run
        return services

    def _serve(
        self,
        services: Mapping[str, Service],
        tickets: CeleryTickets,
        heartbeat: Heartbeat | None,
        queue: str,
    ) -> None:
        def is_suspended() -> bool:
            return heartbeat is not None and heartbeat.is_suspended

        def should_pause() -> bool:
            return self._should_stop() or is_suspended()

        # Without returning, so that the worker receives no more tickets.
        while is_suspended() and not self._should_stop():
            time.sleep(_SUSPENDED_PAUSE_S)
        if self._should_stop():
            return
        try:
            report = services[queue](self._owner, should_pause)
        except UnavailableError as error:
            # Claims are released when their lease expires; the reconciler sends a new ticket.
            _working.fail(error)
            return
        _working.succeed()
        if report.has_more:
            tickets.send(queue)


def _is_connected(worker: Worker) -> bool:
    # Celery creates its consumer after the other parts.
    return getattr(getattr(worker, "consumer", None), "connection", None) is not None


def _claimed(database: Database, owner: str) -> dict[str, Sequence[str]]:
    with database.reading() as session:
        held = [item for item in session.operation.work() if item.worker == owner]
    return {
        "solves": sorted({item.solve_id for item in held if item.solve_id}),
        "jobs": sorted({item.job_id for item in held if item.job_id}),
    }


class KernelPreparation(threading.Thread):
    """Prepares kernel sets one after another; calls `on_ready` with `max_cells` after each."""

    def __init__(
        self,
        kernel_sets: Sequence[KernelSet],
        pdb_folder: Path,
        on_ready: Callable[[int | None], object],
        on_done: Callable[[], object],
    ) -> None:
        super().__init__(name="preparing", daemon=True)
        self._kernel_sets = kernel_sets
        self.seconds = sum(kernel_set.seconds for kernel_set in kernel_sets)
        """The approximate duration if nothing is compiled yet."""
        self.max_cells = EIGHT_PUZZLE.cells
        """The size of the largest boards for which it is ready; None for any."""
        self._on_ready = on_ready
        self._pdb_folder = pdb_folder
        self._on_done = on_done
        self._stopping = threading.Event()

    def run(self) -> None:
        loading.ignore_this_thread()
        started = time.perf_counter()
        for kernel_set in self._kernel_sets:
            try:
                compile_kernel_set(kernel_set, self._stopping.is_set)
                if kernel_set.databases is not None and not self._stopping.is_set():
                    select_engine(blank_last(kernel_set.databases), self._pdb_folder)
            except Exception:
                # For example, a full disk. Each search tries again and reports its own error.
                log.exception("kernels could not be prepared")
            if self._stopping.is_set():
                return
            if self.max_cells is not None:
                self.max_cells = kernel_set.cells
            try:
                self._on_ready(self.max_cells)
            except Exception:
                log.exception("a worker that is ready could not be reported")
        log.info("kernels are ready", seconds=round(time.perf_counter() - started, 2))
        self._on_done()

    def stop(self) -> None:
        self._stopping.set()
