"""Composes a worker, and starts and stops its parts in order."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

import structlog

from tilework.core.assembly import make_slice_worker, make_task_worker
from tilework.core.errors import OptionError, SchemaError, UnavailableError
from tilework.core.machine import release_memory, share_arenas
from tilework.core.model.farm.workload import WorkReport
from tilework.core.model.states import TASK_QUEUES, CounterName, Queue
from tilework.core.periodic_thread import PeriodicThread
from tilework.core.services.counters import Counters
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.purger import Purger
from tilework.core.services.reconciler import Reconciler
from tilework.core.services.tasks.callbacks import CallbackDelivery
from tilework.core.services.tickets import announce
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.revisions import schema_error
from tilework.core.tracing import start_tracing
from tilework.worker.celery_app import QUEUES, create_celery
from tilework.worker.heartbeat import touch_heartbeat_file
from tilework.worker.lifecycle import consume, owner_name, register_task
from tilework.worker.message_validation import RejectionLog
from tilework.worker.shutdown import ShutdownSignal
from tilework.worker.tickets import CeleryTickets
from tilework.worker.webhooks import HttpCallbackSender

if TYPE_CHECKING:
    from tilework.worker.preparation import DatabaseBuilding, KernelPreparation

_DATABASE_PAUSE_S = 1.0

_SUSPENDED_PAUSE_S = 0.5

_NICENESS = 5
"""Niceness of workers that serve long searches."""

log = structlog.get_logger()


def run_worker(
    settings: Settings,
    queues: Sequence[str],
    ready: Callable[[], None],
    should_stop: ShutdownSignal,
) -> int:
    """Work until stopped; call `ready` once. Return the exit code."""
    queues = _sort_queues(queues)
    if not settings.broker_url:
        raise OptionError(
            "no-broker",
            "a worker needs a broker; set TILEWORK_BROKER_URL, as in {example}",
            example="redis://localhost:6379/0",
        )
    start_tracing(settings, "tilework-worker")
    share_arenas()
    uses_solver = any(name != Queue.LAB for name in queues)
    if Queue.SEARCH in queues:
        # Leave the processor to the web and interactive workers that may share the machine.
        os.nice(_NICENESS)
    if uses_solver:
        _compile_smallest()
    database = Database(settings.database)
    _await_schema(database)
    counters = Counters(database)
    rejections = RejectionLog(partial(counters.increment, CounterName.FOREIGN_MESSAGES))
    tickets = CeleryTickets(settings.broker_url, rejections)
    owner = owner_name()
    heartbeat = (
        Heartbeat(database, owner, version=version("tilework")) if Queue.SEARCH in queues else None
    )
    reconciler = PeriodicThread(
        "reconciler",
        _make_housekeeping(
            Reconciler(database, tickets, settings),
            heartbeat,
            Purger(database, settings),
            counters,
        ),
        settings.reconcile_s,
        touch_heartbeat_file,
    )
    callbacks = CallbackDelivery(database, settings, HttpCallbackSender(settings))
    webhooks = PeriodicThread(
        "callbacks", _make_callback_loop(callbacks, owner, should_stop), settings.reconcile_s
    )
    builder = _make_builder(settings) if uses_solver and settings.pdb_build else None

    def announce_ready(max_cells: int | None) -> None:
        if heartbeat is not None and max_cells is None:
            # If this fails, the reconciler's next round reports it.
            with suppress(UnavailableError):
                heartbeat.report_ready()
        announce(tickets, [Queue(name) for name in queues])

    def start_building() -> None:
        # Started late, so that the machine is idle for the first boards.
        if builder is not None:
            builder.start()

    preparation = (
        _make_preparation(settings, queues, announce_ready, start_building) if uses_solver else None
    )
    if heartbeat is not None and preparation is not None:
        with suppress(UnavailableError):
            heartbeat.report_preparing(preparation.seconds)
    app = create_celery(settings.broker_url, rejections)
    register_task(
        app,
        _connect_queues(
            settings,
            database,
            tickets,
            queues,
            owner=owner,
            should_stop=should_stop,
            is_suspended=lambda: heartbeat is not None and heartbeat.is_suspended,
            max_cells=None if preparation is None else preparation.max_cells,
        ),
        tickets,
    )

    def on_ready() -> None:
        log.info("ready", queues=",".join(queues))
        if preparation is not None:
            preparation.start()

    ready()
    reconciler.start()
    if callbacks.is_enabled:
        webhooks.start()
    try:
        return consume(app, queues, should_stop, on_ready)
    finally:
        if preparation is not None:
            preparation.stop()
        if builder is not None:
            builder.stop()
        reconciler.stop()
        webhooks.stop()
        if heartbeat is not None:
            with suppress(Exception):  # if the database is unreachable, the row expires
                heartbeat.leave()
        tickets.close()


def _sort_queues(queues: Sequence[str]) -> list[str]:
    for name in queues:
        if name not in QUEUES:
            raise OptionError(
                "queue",
                "unknown queue {name!r}; choose from {choices}",
                name=name[:40],
                choices=", ".join(QUEUES),
            )
    if not queues:
        raise OptionError(
            "no-queue", "a worker needs a queue; choose from {choices}", choices=", ".join(QUEUES)
        )
    return [name for name in QUEUES if name in queues]


def _make_housekeeping(
    reconcile: Reconciler, heartbeat: Heartbeat | None, purge: Purger, counters: Counters
) -> Callable[[], None]:
    def run_once() -> None:
        release_memory()
        if heartbeat is not None:
            heartbeat.beat()
        reconcile.run_once()
        purge.run_once()
        counters.save()

    return run_once


def _make_callback_loop(
    callbacks: CallbackDelivery, owner: str, should_stop: ShutdownSignal
) -> Callable[[], None]:
    def run_once() -> None:
        while not should_stop() and callbacks.run_once(owner):
            pass

    return run_once


def _make_preparation(
    settings: Settings,
    queues: Sequence[str],
    on_ready: Callable[[int | None], object],
    on_done: Callable[[], object],
) -> KernelPreparation:
    from tilework.core.solver.kernel_sets import FIFTEEN_PUZZLE, LARGE_BOARDS
    from tilework.worker.preparation import KernelPreparation

    # Two workers that start at different ends do not wait for each other.
    searches = Queue.SEARCH in queues
    kernel_sets = (LARGE_BOARDS, FIFTEEN_PUZZLE) if searches else (FIFTEEN_PUZZLE, LARGE_BOARDS)
    return KernelPreparation(kernel_sets, settings.pdb_folder, on_ready, on_done)


def _make_builder(settings: Settings) -> DatabaseBuilding:
    # Loads the solver, which the preparation has loaded by now.
    from tilework.worker.preparation import DatabaseBuilding

    return DatabaseBuilding(settings.pdb_folder, settings.pdb_budget)


def _connect_queues(
    settings: Settings,
    database: Database,
    tickets: CeleryTickets,
    queues: Sequence[str],
    *,
    owner: str,
    should_stop: ShutdownSignal,
    is_suspended: Callable[[], bool],
    max_cells: Callable[[], int | None] | None,
) -> Callable[[str], bool]:
    """Connect each queue to its service; load only the services of these queues."""

    def should_pause() -> bool:
        return should_stop() or is_suspended()

    solver_queues = [Queue(name) for name in queues if name not in TASK_QUEUES]
    services: dict[str, Callable[[], WorkReport]] = {}
    if solver_queues:
        work = make_slice_worker(settings, tickets, solver_queues, database, max_cells)
        services |= {
            queue: partial(work.run, queue, owner, should_pause) for queue in solver_queues
        }
    for queue in TASK_QUEUES:
        if queue in queues:
            tasks = make_task_worker(settings, database, queue)
            services[queue] = partial(tasks.run, owner, should_pause)

    def serve(queue: str) -> bool:
        # Without returning, so that the worker receives no more tickets.
        while is_suspended() and not should_stop():
            time.sleep(_SUSPENDED_PAUSE_S)
        return not should_stop() and services[queue]().has_more

    return serve


def _compile_smallest() -> None:
    from tilework.core.solver.kernel_sets import EIGHT_PUZZLE, compile_kernel_set

    compile_kernel_set(EIGHT_PUZZLE)


def _await_schema(database: Database) -> None:
    is_logged = False
    while not _is_current(database):
        if (error := _find_schema_error(database)) is not None:
            raise error
        if not is_logged:
            log.warning("waiting for a database with the current schema (tilework db upgrade)")
            is_logged = True
        time.sleep(_DATABASE_PAUSE_S)
    database.dispose()


def _is_current(database: Database) -> bool:
    try:
        return database.is_current()
    except Exception as error:
        # It may still be starting, or refuse connections; drivers raise different errors.
        log.debug("database is unavailable", error=str(error))
        return False


def _find_schema_error(database: Database) -> SchemaError | None:
    with suppress(Exception):  # as above
        return schema_error(database.read_schema())
    return None
