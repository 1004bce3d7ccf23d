"""The faults: how each of them is injected into the system, and how it is undone."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from redis import RedisError
from sqlalchemy.exc import DBAPIError

from tests.support.proxies import Proxy
from tools.chaos import puzzles
from tools.chaos.clients import ApiClient
from tools.chaos.damage import damage_database, damage_row
from tools.chaos.history import History, Job, Kill
from tools.chaos.later_version import LaterVersion
from tools.chaos.system import poison, skewed_clock
from tools.chaos.system.programs import Program
from tools.chaos.system.records import Records
from tools.chaos.system.system import System

Undo = Callable[[], object]
UndoLater = Callable[[float, Undo], None]
"""Schedules an undo after a number of seconds."""

POISON_CLIENT: Final = -1
"""The number of the client that posts the boards that kill workers."""

_MAX_FILE_BYTES: Final = 4_096
_RETRY_S: Final = 0.5


class Fault(NamedTuple):
    """The frequency of a fault, the only kind of database that has it, and its action."""

    weight: int
    database: str | None
    inject: Callable[[FaultActions], None]


FAULTS: Final[dict[str, Fault]] = {}
"""All faults by name.

PostgreSQL does not have the faults of a full or read-only disk, because they stop the server, as
`restart-database` does.
"""


def faults_for_database(database: str) -> list[str]:
    """Return the names of the faults that a kind of database can have."""
    return [name for name, fault in FAULTS.items() if fault.database in (None, database)]


def fault(
    weight: int, database: str | None = None
) -> Callable[[Callable[[FaultActions], None]], Callable[[FaultActions], None]]:
    """Register a method of `FaultActions` as a fault."""

    def register(inject: Callable[[FaultActions], None]) -> Callable[[FaultActions], None]:
        FAULTS[inject.__name__.replace("_", "-")] = Fault(weight, database, inject)
        return inject

    return register


class FaultActions:
    def __init__(
        self,
        system: System,
        records: Records,
        history: History,
        rng: random.Random,
        undo_later: UndoLater,
    ) -> None:
        self._system = system
        self._records = records
        self._history = history
        self._rng = rng
        self._undo_later = undo_later
        self._database_is_down = False
        self._later_version = LaterVersion(records)
        self._client = ApiClient(system.server, history)

    def close(self) -> None:
        self._client.close()

    @fault(8)
    def kill_worker(self) -> None:
        self._kill(self._rng.choice(self._system.workers))

    @fault(3)
    def kill_web(self) -> None:
        self._kill(self._system.web)

    @fault(2)
    def kill_broker(self) -> None:
        self._kill(self._system.broker)

    def _kill(self, program: Program) -> None:
        down_s = self._rng.choice((0.0, 0.2, 2.0))
        killed_at = time.time()
        if program.pid is not None:
            # Read the leases before the kill, because other workers may get them later.
            lease_times = self._records.read_lease_times(program.pid)
            self._system.kill(program, down_s)
            lost_s = sum(max(0.0, killed_at - leased_at) for leased_at in lease_times)
            self._history.kills.append(Kill(program.name, killed_at, lost_s))
            self._history.log(f"{program.name} is down for {down_s} s")

    @fault(1)
    def forget_broker(self) -> None:
        self._kill(self._system.broker)
        self._system.delete_broker_files()

    @fault(2)
    def garbage(self) -> None:
        with suppress(RedisError):
            self._system.write_garbage(self._rng)

    @fault(1)
    def flush_broker(self) -> None:
        with suppress(RedisError):  # it may be down
            self._system.flush_broker()

    @fault(1)
    def stop_worker(self) -> None:
        program = self._rng.choice(self._system.workers)
        program.suspend()
        self._history.log(f"{program.name} is suspended")
        self._undo_later(self._system.lease_s + self._rng.uniform(1.0, 3.0), program.resume)

    @fault(1)
    def hang_broker(self) -> None:
        self._system.broker.suspend()
        self._undo_later(self._rng.uniform(1.0, 5.0), self._system.broker.resume)

    @fault(1, "postgresql")
    def hang_database(self) -> None:
        postgres = self._system.postgres
        if postgres is not None and not self._database_is_down:
            self._database_is_down = True
            postgres.suspend()
            self._undo_later(
                self._rng.uniform(1.0, 5.0), partial(self._bring_up_database, postgres.resume)
            )

    def _bring_up_database(self, bring_up: Undo) -> None:
        bring_up()
        self._database_is_down = False

    def _choose_proxy(self) -> Proxy:
        proxy = self._rng.choice(self._system.proxies)
        self._history.log(f"the proxy of {proxy.name}")
        return proxy

    @fault(1)
    def delay(self) -> None:
        proxy = self._choose_proxy()
        proxy.delay(self._rng.uniform(0.005, 0.2))
        self._undo_later(self._rng.uniform(1.0, 4.0), partial(proxy.delay, 0.0))

    @fault(1)
    def stall(self) -> None:
        proxy = self._choose_proxy()
        proxy.stall()
        self._undo_later(self._rng.uniform(0.5, self._system.lease_s + 2.0), proxy.resume)

    @fault(1)
    def cut(self) -> None:
        proxy = self._choose_proxy()
        proxy.cut()
        self._undo_later(self._rng.uniform(0.0, 3.0), proxy.resume)

    @fault(1)
    def half_open(self) -> None:
        proxy = self._choose_proxy()
        proxy.half_open(far=self._rng.random() < 0.5)
        self._undo_later(self._rng.uniform(1.0, self._system.lease_s + 2.0), proxy.reset_lost)

    @fault(2, "postgresql")
    def kill_backend(self) -> None:
        if not self._database_is_down:
            self._records.kill_backend(self._rng)
            self._history.kills.append(Kill("database", time.time(), 0.0))

    @fault(1, "postgresql")
    def restart_database(self) -> None:
        postgres = self._system.postgres
        if postgres is not None and not self._database_is_down:
            self._database_is_down = True
            postgres.stop()
            self._history.kills.append(Kill("database", time.time(), 0.0))
            self._undo_later(
                self._rng.uniform(0.2, 4.0), partial(self._bring_up_database, postgres.start)
            )

    @fault(1, "sqlite")
    def full_disk(self) -> None:
        """Prevent processes that use the database from extending files, as on a full disk."""
        programs = [self._system.web, *self._system.workers]
        undos = [program.limit_files(_MAX_FILE_BYTES) for program in programs]
        self._undo_later(self._rng.uniform(1.0, 5.0), lambda: [undo() for undo in undos])

    @fault(2, "postgresql")
    def step_clock(self) -> None:
        skewed_clock.set_clock(self._system.clock_file, self._rng.uniform(-120.0, 120.0))

    @fault(1)
    def damage_pdb(self) -> None:
        damage_database(self._system.pdb_folder, self._rng)

    @fault(2)
    def damage_row(self) -> None:
        with suppress(DBAPIError):  # the database may be down
            change = damage_row(self._records, self._rng, self._history.damaged_rows.add)
            self._history.log(change)

    @fault(1)
    def poison(self) -> None:
        """Post a board that kills each worker that works on it."""
        puzzle = puzzles.draw_solvable_board(self._rng, 4)
        kind = self._rng.choice(poison.KINDS)
        poison.add_board(self._system.poison_file, kind, puzzle.side, puzzle.tiles)
        response = self._client.request("POST", "/api/v1/jobs?brief=true", {"board": puzzle.tiles})
        if response.status in (200, 202):
            job = Job(response.document["id"], POISON_CLIENT, puzzle, None, poisoned=True)
            self._history.add_job(job).documents.append(response.document)
            self._history.log(f"{job.id} kills workers during {kind}")

    @fault(1)
    def later_schema(self) -> None:
        if self._later_version.upgrade():
            self._retry_later(self._later_version.downgrade)

    def _retry_later(self, undo: Callable[[], bool]) -> None:
        """Schedule an undo that is repeated until the database is up."""

        def attempt() -> None:
            if not undo():
                self._undo_later(_RETRY_S, attempt)

        self._undo_later(self._rng.uniform(1.0, 5.0), attempt)

    @fault(1, "sqlite")
    def read_only(self) -> None:
        """Make the files of SQLite immutable, even for processes that have opened them."""
        self._set_immutable("+i")
        self._undo_later(self._rng.uniform(1.0, 5.0), lambda: self._set_immutable("-i"))

    def _set_immutable(self, flag: str) -> None:
        files = sorted(self._system.folder.glob("tilework.sqlite*"))
        subprocess.run(["chattr", flag, *files], check=False, capture_output=True)
