"""What is done to the system while it works: one fault after the other, drawn from a seed."""

from __future__ import annotations

import heapq
import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Final

from redis import RedisError

from chaos.damage import damage_database
from chaos.database import Records
from chaos.history import History, Kill
from chaos.programs import Program
from chaos.proxies import Proxy
from chaos.skewed import set_clock
from chaos.system import System

Undo = Callable[[], object]

WEIGHTS: Final = {
    "kill-worker": 8,
    "kill-web": 3,
    "kill-broker": 2,
    "forget-broker": 1,
    "flush-broker": 1,
    "stop-worker": 1,
    "delay": 1,
    "stall": 1,
    "cut": 1,
    "half-open": 1,
    "kill-backend": 2,
    "restart-database": 1,
    "damage-pdb": 1,
    "full-disk": 1,
    "step-clock": 2,
}
"""Every fault there is, and how often it comes beside the others."""

_ON_POSTGRESQL: Final = ("kill-backend", "restart-database", "step-clock")
_ON_SQLITE: Final = ("full-disk",)
"""A full disk ends PostgreSQL's server, which is the fault before."""

_FULL_BYTES: Final = 4_096

_TICK_S: Final = 0.05


def faults_of(database: str) -> list[str]:
    """Return the names of the faults that a kind of database can have."""
    others = _ON_SQLITE if database == "postgresql" else _ON_POSTGRESQL
    return [name for name in WEIGHTS if name not in others]


class Faults(threading.Thread):
    """Does one fault after the other until it is told to stop; then it puts all right.

    Parameters
    ----------
    chosen : sequence of str
        Of `WEIGHTS`.
    every : float
        Mean pause between two (seconds).
    """

    def __init__(
        self,
        system: System,
        records: Records,
        history: History,
        *,
        chosen: Sequence[str],
        every: float,
        seed: int,
    ) -> None:
        super().__init__(name="faults")
        self._system = system
        self._records = records
        self._history = history
        self._chosen = chosen
        self._every = every
        self._choose = random.Random(f"{seed}/faults")
        self._undoing: list[tuple[float, int, Undo]] = []
        self._numbers = count()
        self._database_is_away = False
        self._ending = threading.Event()
        self._deeds: dict[str, Callable[[], None]] = {
            "kill-worker": lambda: self._kill(self._choose.choice(self._system.workers)),
            "kill-web": lambda: self._kill(self._system.web),
            "kill-broker": lambda: self._kill(self._system.broker),
            "forget-broker": self._forget_broker,
            "flush-broker": self._flush_broker,
            "stop-worker": self._stop_worker,
            "delay": self._delay,
            "stall": self._stall,
            "cut": self._cut,
            "half-open": self._half_open,
            "kill-backend": self._kill_backend,
            "restart-database": self._restart_database,
            "damage-pdb": self._damage_databases,
            "full-disk": self._fill_disk,
            "step-clock": self._step_clock,
        }

    def run(self) -> None:
        """Do faults at random times."""
        due = time.monotonic() + self._pause()
        try:
            while not self._ending.wait(_TICK_S):
                self._undo(time.monotonic())
                if time.monotonic() >= due:
                    weights = [WEIGHTS[name] for name in self._chosen]
                    [name] = self._choose.choices(self._chosen, weights)
                    self._history.faults[name] += 1
                    self._history.tell(name)
                    self._deeds[name]()
                    due = time.monotonic() + self._pause()
        except Exception as error:
            self._history.wrong(f"the faults met {error!r}")
            raise
        finally:
            self._undo(float("inf"))

    def stop(self) -> None:
        """Have it put all right, and end."""
        self._ending.set()

    def _pause(self) -> float:
        return self._choose.uniform(0.5, 1.5) * self._every

    def _later(self, seconds: float, undo: Undo) -> None:
        heapq.heappush(self._undoing, (time.monotonic() + seconds, next(self._numbers), undo))

    def _undo(self, until: float) -> None:
        while self._undoing and self._undoing[0][0] <= until:
            heapq.heappop(self._undoing)[2]()
            self._history.tell("something is put right")

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
