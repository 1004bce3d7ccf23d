"""Where a worker's objects are wired, and the order in which it starts and stops."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

import structlog

from tilework.core.assembly import (
    make_callbacks,
    make_task_work,
    make_work,
)
from tilework.core.errors import OptionError, UnavailableError
from tilework.core.machine import give_back, share_arenas
from tilework.core.model.states import TASK_QUEUES, CounterName, Queue
from tilework.core.model.workload import WorkReport
from tilework.core.periodic_thread import PeriodicThread
from tilework.core.services.counters import Counters
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.reconcile import Reconcile
from tilework.core.services.retention.purge import Purge
from tilework.core.services.tasks.calls import DeliverCallbacks
from tilework.core.services.tickets import announce
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.revisions import schema_error
from tilework.worker.celery_app import QUEUES, create_celery
from tilework.worker.heartbeat import heartbeat_file
from tilework.worker.lifecycle import consume, owner_name, register_task
from tilework.worker.message_validation import Refusals
from tilework.worker.shutdown import Stopping
from tilework.worker.tickets import CeleryTickets
from tilework.worker.webhooks import HttpCaller

if TYPE_CHECKING:
    from tilework.worker.preparing import Building, Preparing

_DATABASE_PAUSE_S = 1.0

_NICENESS = 5
"""Of workers that take long searches."""

log = structlog.get_logger()


def run_worker(
    settings: Settings, queues: Sequence[str], ready: Callable[[], None], stopping: Stopping
) -> int:
    """Work until told to stop; `ready` is called once. Return the exit code."""
    served = _in_order(queues)
    if not settings.broker_url:
        raise OptionError(
            "no-broker",
            "a worker needs a broker; set TILEWORK_BROKER_URL, as in {example}",
            example="redis://localhost:6379/0",
        )
    share_arenas()
    solving = any(name != Queue.LAB for name in served)
    if Queue.SEARCH in served:
        # The web and the worker of small boards answer people, and may share the machine.
        os.nice(_NICENESS)
    if solving:
        _prepare_first()
    database = Database(settings.database)
    _await_schema(database)
    counters = Counters(database)
    refusals = Refusals(partial(counters.note, CounterName.FOREIGN_MESSAGES))
    tickets = CeleryTickets(settings.broker_url, refusals)
    owner = owner_name()
    presence = (
        Heartbeat(database, owner, version=version("tilework")) if Queue.SEARCH in served else None
    )
    reconciler = PeriodicThread(
        "reconciler",
        _looking_after(
            Reconcile(database, tickets, settings),
            presence,
            Purge(database, settings),
            counters,
        ),
        settings.reconcile_s,
        heartbeat_file().touch,
    )
    callbacks = make_callbacks(settings, HttpCaller(settings), database)
    webhooks = PeriodicThread(
        "callbacks", _while_due(callbacks, owner, stopping), settings.reconcile_s
    )
    building = _building(settings) if solving and settings.pdb_build else None

    def go_on(most_cells: int | None) -> None:
        if presence is not None and most_cells is None:
            # Where it fails, the reconciler's next round tells it.
            with suppress(UnavailableError):
                presence.be_ready()
        announce(tickets, [Queue(name) for name in served])

    def have_built() -> None:
        # Not before: the first boards should find the machine idle.
        if building is not None:
            building.start()

    preparing = _preparing(settings, served, go_on, have_built) if solving else None
    if presence is not None and preparing is not None:
        with suppress(UnavailableError):
            presence.get_ready(preparing.seconds)
    app = create_celery(settings.broker_url, refusals)
    register_task(
        app,
        _serving(
            settings,
            database,
            tickets,
            served,
            owner=owner,
            stopping=stopping,
            most_cells=None if preparing is None else preparing.most_cells,
        ),
        tickets,
    )

    def on_ready() -> None:
        log.info("ready", queues=",".join(served))
        if preparing is not None:
            preparing.start()

    ready()
    reconciler.start()
    if callbacks.offered:
        webhooks.start()
    try:
        return consume(app, served, stopping, on_ready)
    finally:
        if preparing is not None:
            preparing.stop()
        if building is not None:
            building.stop()
        reconciler.stop()
        webhooks.stop()
        if presence is not None:
            with suppress(Exception):  # an unreachable database: the row expires by itself
                presence.leave()
        tickets.close()


def _in_order(queues: Sequence[str]) -> list[str]:
    for name in queues:
        if name not in QUEUES:
            raise OptionError(
                "queue",
                "unknown queue {name!r}; choose from {offered}",
                name=name[:40],
                offered=", ".join(QUEUES),
            )
    if not queues:
        raise OptionError(
            "no-queue", "a worker needs a queue; choose from {offered}", offered=", ".join(QUEUES)
        )
    return [name for name in QUEUES if name in queues]


def _looking_after(
    reconcile: Reconcile, presence: Heartbeat | None, purge: Purge, counters: Counters
) -> Callable[[], None]:
    def run_once() -> None:
        give_back()
        if presence is not None:
            presence.tell()
        reconcile.run_once()
        purge.run_once()
        counters.save()

    return run_once


def _while_due(callbacks: DeliverCallbacks, owner: str, stopping: Stopping) -> Callable[[], None]:
    def run_once() -> None:
        while not stopping() and callbacks.run_once(owner):
            pass

    return run_once


def _preparing(
    settings: Settings,
    served: Sequence[str],
    ready_for: Callable[[int | None], object],
    done: Callable[[], object],
) -> Preparing:
    from tilework.core.solver.kernel_sets import FIFTEEN_PUZZLE, LARGE_BOARDS
    from tilework.worker.preparing import Preparing

    # Of two that begin at different ends neither waits for the other.
    searches = Queue.SEARCH in served
    kernel_sets = (LARGE_BOARDS, FIFTEEN_PUZZLE) if searches else (FIFTEEN_PUZZLE, LARGE_BOARDS)
    return Preparing(kernel_sets, settings.pdb_folder, ready_for, done)


def _building(settings: Settings) -> Building:
    # Loads the solver, as the warming up has by now.
    from tilework.worker.preparing import Building

    return Building(settings.pdb_folder, settings.pdb_budget)


def _serving(
    settings: Settings,
    database: Database,
    tickets: CeleryTickets,
    served: Sequence[str],
    *,
    owner: str,
    stopping: Stopping,
    most_cells: Callable[[], int | None] | None,
) -> Callable[[str], bool]:
    """Join each queue to its work; only what is served is loaded."""
    solving = [Queue(name) for name in served if name not in TASK_QUEUES]
    services: dict[str, Callable[[], WorkReport]] = {}
    if solving:
        work = make_work(settings, tickets, solving, database, most_cells)
        services |= {queue: partial(work.serve, queue, owner, stopping) for queue in solving}
    for queue in TASK_QUEUES:
        if queue in served:
            tasks = make_task_work(settings, database, queue)
            services[queue] = partial(tasks.serve, owner, stopping)

    def serve(queue: str) -> bool:
        return not stopping() and services[queue]().more

    return serve


def _prepare_first() -> None:
    from tilework.core.solver.kernel_sets import EIGHT_PUZZLE, compile_kernel_set

    compile_kernel_set(EIGHT_PUZZLE)


def _await_schema(database: Database) -> None:
    told = False
    while not _is_current(database):
        if (error := _refusal(database)) is not None:
            raise error
        if not told:
            log.warning("waiting for a database with the current schema (tilework db upgrade)")
            told = True
        time.sleep(_DATABASE_PAUSE_S)
    database.dispose()


def _is_current(database: Database) -> bool:
    try:
        return database.current()
    except Exception as error:
        # Not up yet, or refusing connections: each driver has its own message for it.
        log.debug("database does not answer", error=str(error))
        return False


def _refusal(database: Database) -> UnavailableError | None:
    with suppress(Exception):  # as above
        return schema_error(database.schema())
    return None
