"""The outages: what goes away, and which requests may be refused meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from tools.chaos.system.whole import System

Undo = Callable[[], object]

_FULL_BYTES: Final = 4_096

WRITES: Final = ("post", "known")
READS: Final = ("poll", "long-poll", "solution", "page")
"""Kinds of requests; ``healthz``, ``home`` and ``readyz`` are the others."""


@dataclass(frozen=True)
class Outage:
    """One part that is away.

    Attributes
    ----------
    words : str
        What was done.
    begin : callable
        Does it; returns what ends it.
    refused : collection of str
        Kinds of requests that may be answered 503 meanwhile; all others are answered as ever.
    seconds : float
        How long it is to last.
    """

    words: str
    begin: Callable[[System], Undo]
    refused: Collection[str]
    seconds: float


def _stop_broker(system: System) -> Undo:
    # Far beyond the end of the outage: what ends it brings it back.
    system.kill(system.broker, 1e6)
    return lambda: system.bring_back(system.broker)


def _hang_broker(system: System) -> Undo:
    system.broker.stop()
    return system.broker.go_on


def _stop_database(system: System) -> Undo:
    assert system.postgres is not None
    system.postgres.stop()
    return system.postgres.start


def _hang_database(system: System) -> Undo:
    assert system.postgres is not None
    system.postgres.suspend()
    return system.postgres.resume


def _stall_database(system: System) -> Undo:
    proxy = system.proxies[-1]
    proxy.stall()
    return proxy.flow


def _fill_disk(system: System) -> Undo:
    """Let nobody who uses the database make a file longer, as where the disk is full."""
    undo = ExitStack()
    for program in (system.web, *system.workers):
        undo.callback(program.limit_files(_FULL_BYTES))
    return undo.close


_BROKER: Final = ("readyz",)
_WRITING: Final = ("readyz", *WRITES)
_ALL: Final = (*_WRITING, *READS)

OUTAGES: Final = {
    "sqlite": {
        "broker-gone": Outage("the broker is killed", _stop_broker, _BROKER, 60.0),
        "broker-hangs": Outage("the broker is stopped (SIGSTOP)", _hang_broker, _BROKER, 60.0),
        "disk-full": Outage("no file can grow", _fill_disk, _WRITING, 30.0),
    },
    "postgresql": {
        "broker-gone": Outage("the broker is killed", _stop_broker, _BROKER, 60.0),
        "database-gone": Outage("PostgreSQL is shut down", _stop_database, _ALL, 30.0),
        "database-hangs": Outage(
            "all processes of PostgreSQL are stopped (SIGSTOP)", _hang_database, _ALL, 30.0
        ),
        "database-stalls": Outage(
            "the network takes what is sent to PostgreSQL, and delivers nothing",
            _stall_database,
            _ALL,
            30.0,
        ),
    },
}
"""By kind of database and name, in the order in which they come."""
