"""How each fault is done to the system, and how it is put right."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from redis import RedisError
from sqlalchemy.exc import DBAPIError

from tools.chaos.faults.damage import damage_database, damage_row
from tools.chaos.faults.versions import LaterVersion
from tools.chaos.load import boards
from tools.chaos.load.history import History, Job, Kill
from tools.chaos.load.visitor import Visit
from tools.chaos.system.database import Records
from tools.chaos.system.poison import KINDS
from tools.chaos.system.poison import poison as poison_board
from tools.chaos.system.programs import Program
from tools.chaos.system.proxies import Proxy
from tools.chaos.system.skewed import set_clock
from tools.chaos.system.whole import System

Undo = Callable[[], object]

Later = Callable[[float, Undo], None]
"""Has something put right after so many seconds."""

_FULL_BYTES: Final = 4_096

NOBODY: Final = -1
"""Who posts what kills."""

_AGAIN_S: Final = 0.5


@dataclass(frozen=True)
class Fault:
    """How often a fault comes beside the others, of which database alone, and how it is done."""

    weight: int
    database: str | None
    do: Callable[[Deeds], None]


FAULTS: Final[dict[str, Fault]] = {}
"""Every fault by its name.

A disk that is full or read-only ends PostgreSQL's server, which is a fault of its own.
"""


def faults_of(database: str) -> list[str]:
    """Return the names of the faults that a kind of database can have."""
    return [name for name, one in FAULTS.items() if one.database in (None, database)]


def fault(
    weight: int, database: str | None = None
) -> Callable[[Callable[[Deeds], None]], Callable[[Deeds], None]]:
    """Enter a method of `Deeds` as a fault, by its own name."""

    def enter(do: Callable[[Deeds], None]) -> Callable[[Deeds], None]:
        FAULTS[do.__name__.replace("_", "-")] = Fault(weight, database, do)
        return do

    return enter


class Deeds:
    def __init__(
        self,
        system: System,
        records: Records,
        history: History,
        choose: random.Random,
        later: Later,
    ) -> None:
        self._system = system
        self._records = records
        self._history = history
        self._choose = choose
        self._later = later
        self._database_is_away = False
        self._later_version = LaterVersion(records)
        self._client = Visit(system.server, history)

    def close(self) -> None:
        self._client.close()

    @fault(8)
    def kill_worker(self) -> None:
        self._kill(self._choose.choice(self._system.workers))

    @fault(3)
    def kill_web(self) -> None:
        self._kill(self._system.web)

    @fault(2)
    def kill_broker(self) -> None:
        self._kill(self._system.broker)

    def _kill(self, program: Program) -> None:
        rest_s = self._choose.choice((0.0, 0.2, 2.0))
        at = time.time()
        pid = program.pid
        if pid is not None:
            # Before it is dead: afterwards somebody may have taken what it held.
            began = self._records.held_since(pid)
            self._system.kill(program, rest_s)
            lost_s = sum(max(0.0, at - since) for since in began)
            self._history.kills.append(Kill(program.name, pid, at, lost_s))
            self._history.tell(f"{program.name} is dead for {rest_s} s")

    @fault(1)
    def forget_broker(self) -> None:
        self._kill(self._system.broker)
        self._system.forget_broker_files()

    @fault(1)
    def flush_broker(self) -> None:
        with suppress(RedisError):  # it is away
            self._system.flush_broker()

    @fault(1)
    def stop_worker(self) -> None:
        program = self._choose.choice(self._system.workers)
        program.stop()
        self._history.tell(f"{program.name} stands still")
        self._later(self._system.lease_s + self._choose.uniform(1.0, 3.0), program.go_on)

    @fault(1)
    def hang_broker(self) -> None:
        self._system.broker.stop()
        self._later(self._choose.uniform(1.0, 5.0), self._system.broker.go_on)

    @fault(1, "postgresql")
    def hang_database(self) -> None:
        postgres = self._system.postgres
        if postgres is not None and not self._database_is_away:
            self._database_is_away = True
            postgres.suspend()
            self._later(self._choose.uniform(1.0, 5.0), self._wake_database)

    def _wake_database(self) -> None:
        assert self._system.postgres is not None
        self._system.postgres.resume()
        self._database_is_away = False

    def _proxy(self) -> Proxy:
        proxy = self._choose.choice(self._system.proxies)
        self._history.tell(f"the proxy of {proxy.name}")
        return proxy

    @fault(1)
    def delay(self) -> None:
        proxy = self._proxy()
        proxy.delay(self._choose.uniform(0.005, 0.2))
        self._later(self._choose.uniform(1.0, 4.0), partial(proxy.delay, 0.0))

    @fault(1)
    def stall(self) -> None:
        proxy = self._proxy()
        proxy.stall()
        self._later(self._choose.uniform(0.5, self._system.lease_s + 2.0), proxy.flow)

    @fault(1)
    def cut(self) -> None:
        proxy = self._proxy()
        proxy.cut()
        self._later(self._choose.uniform(0.0, 3.0), proxy.flow)

    @fault(1)
    def half_open(self) -> None:
        proxy = self._proxy()
        proxy.half_open(far=self._choose.random() < 0.5)
        self._later(self._choose.uniform(1.0, self._system.lease_s + 2.0), proxy.forget)

    @fault(2, "postgresql")
    def kill_backend(self) -> None:
        if not self._database_is_away:
            self._records.kill_backend(self._choose)
            self._note_database()

    @fault(1, "postgresql")
    def restart_database(self) -> None:
        postgres = self._system.postgres
        if postgres is not None and not self._database_is_away:
            self._database_is_away = True
            postgres.stop()
            self._note_database()
            self._later(self._choose.uniform(0.2, 4.0), self._start_database)

    def _start_database(self) -> None:
        assert self._system.postgres is not None
        self._system.postgres.start()
        self._database_is_away = False

    def _note_database(self) -> None:
        self._history.kills.append(Kill("database", 0, time.time(), 0.0))

    @fault(1, "sqlite")
    def full_disk(self) -> None:
        """Let nobody who uses the database make a file longer, as where the disk is full."""
        programs = [self._system.web, *self._system.workers]
        freed = [program.limit_files(_FULL_BYTES) for program in programs]
        self._later(self._choose.uniform(1.0, 5.0), lambda: [free() for free in freed])

    @fault(2, "postgresql")
    def step_clock(self) -> None:
        set_clock(self._system.clock_file, self._choose.uniform(-120.0, 120.0))

    @fault(1)
    def damage_pdb(self) -> None:
        damage_database(self._system.pdb_folder, self._choose)

    @fault(2)
    def damage_row(self) -> None:
        with suppress(DBAPIError):  # it is away
            told = damage_row(self._records, self._choose, self._history.damaged_rows.add)
            self._history.tell(told)

    @fault(1)
    def poison(self) -> None:
        """Post a board that kills each worker that takes it up."""
        puzzle = boards.huge(self._choose, 4)
        kind = self._choose.choice(KINDS)
        poison_board(self._system.poison_file, kind, puzzle.side, puzzle.tiles)
        answer = self._client.ask("POST", "/api/v1/jobs?brief=true", {"board": puzzle.tiles})
        if answer.status in (200, 202):
            job = Job(answer.document["id"], NOBODY, puzzle, None, poisoned=True)
            self._history.accept(job).seen.append(answer.document)
            self._history.tell(f"{job.id} kills by {kind}")

    @fault(1)
    def later_schema(self) -> None:
        if self._later_version.upgrade():
            self._insist_later(self._later_version.downgrade)

    @fault(1)
    def later_work(self) -> None:
        if self._later_version.leave_work(self._choose):
            self._insist_later(self._later_version.take_work)

    def _insist_later(self, undo: Callable[[], bool]) -> None:
        """Have something put right as soon as the database is there and nobody holds it up."""

        def insist() -> None:
            if not undo():
                self._later(_AGAIN_S, insist)

        self._later(self._choose.uniform(1.0, 5.0), insist)

    @fault(1, "sqlite")
    def read_only(self) -> None:
        """Let nobody write to the files of SQLite, not even who has them open."""
        self._set_immutable("+i")
        self._later(self._choose.uniform(1.0, 5.0), lambda: self._set_immutable("-i"))

    def _set_immutable(self, word: str) -> None:
        files = sorted(self._system.folder.glob("tilework.sqlite*"))
        subprocess.run(["chattr", word, *files], check=False, capture_output=True)
