"""How each fault is done to the system, and how it is put right."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
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
from tools.chaos.system.poison import KINDS, poison
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
        self._deeds: dict[str, Callable[[], None]] = {
            "kill-worker": lambda: self._kill(self._choose.choice(self._system.workers)),
            "kill-web": lambda: self._kill(self._system.web),
            "kill-broker": lambda: self._kill(self._system.broker),
            "forget-broker": self._forget_broker,
            "flush-broker": self._flush_broker,
            "stop-worker": self._stop_worker,
            "hang-broker": self._hang_broker,
            "hang-database": self._hang_database,
            "delay": self._delay,
            "stall": self._stall,
            "cut": self._cut,
            "half-open": self._half_open,
            "kill-backend": self._kill_backend,
            "restart-database": self._restart_database,
            "damage-pdb": self._damage_databases,
            "full-disk": self._fill_disk,
            "step-clock": self._step_clock,
            "damage-row": self._damage_row,
            "poison": self._poison,
            "later-schema": self._upgrade_schema,
            "later-work": self._leave_work,
            "read-only": self._make_read_only,
        }

    def do(self, name: str) -> None:
        self._deeds[name]()

    def close(self) -> None:
        self._client.close()

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

    def _forget_broker(self) -> None:
        self._kill(self._system.broker)
        self._system.forget_broker_files()

    def _flush_broker(self) -> None:
        with suppress(RedisError):  # it is away
            self._system.flush_broker()

    def _stop_worker(self) -> None:
        program = self._choose.choice(self._system.workers)
        program.stop()
        self._history.tell(f"{program.name} stands still")
        self._later(self._system.lease_s + self._choose.uniform(1.0, 3.0), program.go_on)

    def _hang_broker(self) -> None:
        self._system.broker.stop()
        self._later(self._choose.uniform(1.0, 5.0), self._system.broker.go_on)

    def _hang_database(self) -> None:
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

    def _delay(self) -> None:
        proxy = self._proxy()
        proxy.delay(self._choose.uniform(0.005, 0.2))
        self._later(self._choose.uniform(1.0, 4.0), partial(proxy.delay, 0.0))

    def _stall(self) -> None:
        proxy = self._proxy()
        proxy.stall()
        self._later(self._choose.uniform(0.5, self._system.lease_s + 2.0), proxy.flow)

    def _cut(self) -> None:
        proxy = self._proxy()
        proxy.cut()
        self._later(self._choose.uniform(0.0, 3.0), proxy.flow)

    def _half_open(self) -> None:
        proxy = self._proxy()
        proxy.half_open(far=self._choose.random() < 0.5)
        self._later(self._choose.uniform(1.0, self._system.lease_s + 2.0), proxy.forget)

    def _kill_backend(self) -> None:
        if not self._database_is_away:
            self._records.kill_backend(self._choose)
            self._note_database()

    def _restart_database(self) -> None:
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

    def _fill_disk(self) -> None:
        """Let nobody who uses the database make a file longer, as where the disk is full."""
        programs = [self._system.web, *self._system.workers]
        freed = [program.limit_files(_FULL_BYTES) for program in programs]
        self._later(self._choose.uniform(1.0, 5.0), lambda: [free() for free in freed])

    def _step_clock(self) -> None:
        set_clock(self._system.clock_file, self._choose.uniform(-120.0, 120.0))

    def _damage_databases(self) -> None:
        damage_database(self._system.pdb_folder, self._choose)

    def _damage_row(self) -> None:
        with suppress(DBAPIError):  # it is away
            told = damage_row(self._records, self._choose, self._history.damaged_rows.add)
            self._history.tell(told)

    def _poison(self) -> None:
        """Post a board that kills each worker that takes it up."""
        puzzle = boards.huge(self._choose, 4)
        kind = self._choose.choice(KINDS)
        poison(self._system.poison_file, kind, puzzle.side, puzzle.tiles)
        answer = self._client.ask("POST", "/api/v1/jobs?brief=true", {"board": puzzle.tiles})
        if answer.status in (200, 202):
            job = Job(answer.document["id"], NOBODY, puzzle, None, poisoned=True)
            self._history.accept(job).seen.append(answer.document)
            self._history.tell(f"{job.id} kills by {kind}")

    def _upgrade_schema(self) -> None:
        if self._later_version.upgrade():
            self._insist_later(self._later_version.downgrade)

    def _leave_work(self) -> None:
        if self._later_version.leave_work(self._choose):
            self._insist_later(self._later_version.take_work)

    def _insist_later(self, undo: Callable[[], bool]) -> None:
        """Have something put right as soon as the database is there and nobody holds it up."""

        def insist() -> None:
            if not undo():
                self._later(_AGAIN_S, insist)

        self._later(self._choose.uniform(1.0, 5.0), insist)

    def _make_read_only(self) -> None:
        """Let nobody write to the files of SQLite, not even who has them open."""
        self._set_immutable("+i")
        self._later(self._choose.uniform(1.0, 5.0), lambda: self._set_immutable("-i"))

    def _set_immutable(self, word: str) -> None:
        files = sorted(self._system.folder.glob("tilework.sqlite*"))
        subprocess.run(["chattr", word, *files], check=False, capture_output=True)
