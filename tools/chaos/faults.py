"""The faults: how each of them is injected into the system, and how it is undone."""

from __future__ import annotations

import heapq
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Final, NamedTuple

from redis import RedisError
from sqlalchemy.exc import DBAPIError

from tools.chaos import puzzles
from tools.chaos.clients import JOBS, ApiClient
from tools.chaos.history import History, Job, Kill
from tools.chaos.proxies import Proxy
from tools.chaos.system import LEASE_S, Program, Records, System

Undo = Callable[[], object]

POISON_CLIENT: Final = -1
"""The number of the client that posts the boards that kill workers."""

_MAX_FILE_BYTES: Final = 4_096
_POISON_S: Final = 120.0  # in which a slice is leased, and its worker killed, often enough
_TICK_S: Final = 0.05
_HEADER_BYTES: Final = 4_096
_PART_BYTES: Final = 4_096


class Faults(threading.Thread):
    """Injects one random fault after another until it is stopped, and then undoes all of them."""

    def __init__(
        self,
        system: System,
        records: Records,
        history: History,
        *,
        names: Sequence[str],
        interval_s: float,
        seed: int,
    ) -> None:
        super().__init__(name="faults")
        self._interval_s = interval_s
        self._system = system
        self._records = records
        self._history = history
        self._names = names
        self._rng = random.Random(f"{seed}/faults")
        self._undos: list[tuple[float, int, Undo]] = []
        self._numbers = count()
        self._stopping = threading.Event()
        self._database_is_down = False
        self._client = ApiClient(system.server, history)
        self._poison: dict[str, str] = {}  # the condition of the slices that kill, by job
        self._killed_owners: set[str] = set()

    def run(self) -> None:
        next_fault_at = time.monotonic() + self._draw_pause()
        try:
            while not self._stopping.wait(_TICK_S):
                self._undo_due(time.monotonic())
                self._kill_poisoned()
                if time.monotonic() >= next_fault_at:
                    weights = [FAULTS[name].weight for name in self._names]
                    [name] = self._rng.choices(self._names, weights)
                    self._history.faults[name] += 1
                    self._history.log(name)
                    FAULTS[name].inject(self)
                    next_fault_at = time.monotonic() + self._draw_pause()
        except Exception as error:
            self._history.add_error(f"the fault thread raised {error!r}")
            raise
        finally:
            self._undo_due(float("inf"))
            for job in self._poison:
                self._history.jobs[job].cancelled_by_owner = True
                self._client.retry("DELETE", f"{JOBS.partition('?')[0]}/{job}")
            self._client.close()

    def stop(self) -> None:
        self._stopping.set()

    def _draw_pause(self) -> float:
        return self._rng.uniform(0.5, 1.5) * self._interval_s

    def _undo_later(self, least_s: float, most_s: float, undo: Undo) -> None:
        due = time.monotonic() + self._rng.uniform(least_s, most_s)
        heapq.heappush(self._undos, (due, next(self._numbers), undo))

    def _undo_due(self, now: float) -> None:
        while self._undos and self._undos[0][0] <= now:
            heapq.heappop(self._undos)[2]()
            self._history.log("a fault was undone")

    def kill_worker(self) -> None:
        self._kill(self._rng.choice(self._system.workers))

    def kill_web(self) -> None:
        self._kill(self._system.web)

    def kill_broker(self) -> None:
        self._kill(self._system.broker)

    def _kill(self, program: Program) -> None:
        down_s = self._rng.choice((0.0, 0.2, 2.0))
        killed_at = time.time()
        if program.pid is not None:
            # Read the leases before the kill, because other workers may get them later.
            lease_times = self._records.read_lease_times(program.name)
            self._system.kill(program, down_s)
            lost_s = sum(max(0.0, killed_at - leased_at) for leased_at in lease_times)
            self._history.kills.append(Kill(program.name, killed_at, lost_s))
            self._history.log(f"{program.name} is down for {down_s} s")

    def forget_broker(self) -> None:
        self._kill(self._system.broker)
        self._system.delete_broker_files()

    def garbage(self) -> None:
        with suppress(RedisError):
            self._system.write_garbage(self._rng)

    def flush_broker(self) -> None:
        with suppress(RedisError):  # it may be down
            self._system.flush_broker()

    def stop_worker(self) -> None:
        program = self._rng.choice(self._system.workers)
        program.signal(signal.SIGSTOP)
        self._history.log(f"{program.name} is suspended")
        self._undo_later(LEASE_S + 1.0, LEASE_S + 3.0, partial(program.signal, signal.SIGCONT))

    def hang_broker(self) -> None:
        broker = self._system.broker
        broker.signal(signal.SIGSTOP)
        self._undo_later(1.0, 5.0, partial(broker.signal, signal.SIGCONT))

    def hang_database(self) -> None:
        postgres = self._system.postgres
        if postgres is not None and not self._database_is_down:
            self._database_is_down = True
            postgres.suspend()
            self._undo_later(1.0, 5.0, partial(self._bring_up_database, postgres.resume))

    def _bring_up_database(self, bring_up: Undo) -> None:
        bring_up()
        self._database_is_down = False

    def _choose_proxy(self) -> Proxy:
        proxy = self._rng.choice(self._system.proxies)
        self._history.log(f"the proxy of {proxy.name}")
        return proxy

    def delay(self) -> None:
        proxy = self._choose_proxy()
        proxy.delay(self._rng.uniform(0.005, 0.2))
        self._undo_later(1.0, 4.0, partial(proxy.delay, 0.0))

    def stall(self) -> None:
        proxy = self._choose_proxy()
        proxy.stall()
        self._undo_later(0.5, LEASE_S + 2.0, proxy.resume)

    def cut(self) -> None:
        proxy = self._choose_proxy()
        proxy.cut()
        self._undo_later(0.0, 3.0, proxy.resume)

    def half_open(self) -> None:
        proxy = self._choose_proxy()
        proxy.half_open(far=self._rng.random() < 0.5)
        self._undo_later(1.0, LEASE_S + 2.0, proxy.reset_lost)

    def kill_backend(self) -> None:
        if not self._database_is_down:
            self._records.kill_backend(self._rng)
            self._history.kills.append(Kill("database", time.time(), 0.0))

    def restart_database(self) -> None:
        postgres = self._system.postgres
        if postgres is not None and not self._database_is_down:
            self._database_is_down = True
            postgres.stop()
            self._history.kills.append(Kill("database", time.time(), 0.0))
            self._undo_later(0.2, 4.0, partial(self._bring_up_database, postgres.start))

    def full_disk(self) -> None:
        """Prevent processes that use the database from extending files, as on a full disk."""
        programs = [self._system.web, *self._system.workers]
        undos = [program.limit_files(_MAX_FILE_BYTES) for program in programs]
        self._undo_later(1.0, 5.0, lambda: [undo() for undo in undos])

    def read_only(self) -> None:
        """Make the files of SQLite immutable, even for processes that have opened them."""
        self._set_immutable("+i")
        self._undo_later(1.0, 5.0, lambda: self._set_immutable("-i"))

    def _set_immutable(self, flag: str) -> None:
        files = sorted(self._system.folder.glob("tilework.sqlite*"))
        subprocess.run(["chattr", flag, *files], check=False, capture_output=True)

    def step_clock(self) -> None:
        self._system.set_clock(self._rng.uniform(-120.0, 120.0))

    def damage_pdb(self) -> None:
        """Overwrite parts of a pattern database in place."""
        file = self._rng.choice(sorted(self._system.pdb_folder.glob("*.pdb")))
        file.chmod(0o644)  # they are stored read-only
        with file.open("r+b") as entries:
            for _ in range(self._rng.randint(1, 200)):
                entries.seek(self._rng.randrange(_HEADER_BYTES, file.stat().st_size - _PART_BYTES))
                entries.write(self._rng.randbytes(_PART_BYTES))

    def damage_row(self) -> None:
        """Change a bound of a solve, or one bit of its solution."""
        with suppress(DBAPIError):  # the database may be down
            name = self._rng.choice(("lower_bound", "upper_bound", "moves"))
            # One of the newest rows, whose jobs may still be read.
            rows = self._records.rows(
                f"SELECT id, {name} AS value FROM solve WHERE {name} IS NOT NULL "
                "ORDER BY created_at DESC LIMIT 200"
            )
            if rows:
                row = self._rng.choice(rows)
                self._history.damaged_rows.add(row.id)
                change = self._rng.choice((-2, -1, 1, 2, 40))
                damaged = (
                    _flip_bit(bytes(row.value), self._rng)
                    if name == "moves"
                    else row.value + (change if row.value + change >= 0 else -change)
                )
                # A value that has changed in the meantime is kept.
                self._records.rows(
                    f"UPDATE solve SET {name} = :new WHERE id = :id AND {name} = :old RETURNING id",
                    **{"new": damaged, "id": row.id, "old": row.value},
                )
                self._history.log(f"{name} of {row.id}: {row.value!r} → {damaged!r}")

    def poison(self) -> None:
        """Post a hard board, and from now on kill each worker that leases its slices."""
        puzzle = puzzles.draw_board(self._rng, 5)
        request = {"board": puzzle.tiles, "time_limit_s": _POISON_S}
        response = self._client.request("POST", JOBS, request)
        if response.status in (200, 202):
            job = Job(response.document["id"], POISON_CLIENT, puzzle, _POISON_S, poisoned=True)
            self._history.add_job(job).documents.append(response.document)
            kind = self._rng.choice(("", "AND slice.kind = 'search'"))
            self._poison[job.id] = kind
            self._history.log(f"{job.id} kills workers {kind}")

    def _kill_poisoned(self) -> None:
        for job, kind in self._poison.items():
            with suppress(DBAPIError):
                rows = self._records.rows(
                    "SELECT slice.owner FROM slice JOIN job ON job.solve_id = slice.solve_id "
                    f"WHERE job.id = :job AND slice.state = 'leased' {kind}",
                    job=job,
                )
                # A killed worker owns its slices until the leases expire.
                for owner in {row.owner for row in rows} - self._killed_owners:
                    self._killed_owners.add(owner)
                    name = owner.partition("@")[0]
                    [program] = [one for one in self._system.workers if one.name == name]
                    self._system.kill(program, 0.0)
                    self._history.kills.append(Kill(name, time.time(), 0.0))


class Fault(NamedTuple):
    """The frequency of a fault, its action, and the only kind of database that has it."""

    weight: int
    inject: Callable[[Faults], None]
    database: str | None = None


FAULTS: Final = {
    "kill-worker": Fault(8, Faults.kill_worker),
    "kill-web": Fault(3, Faults.kill_web),
    "kill-broker": Fault(2, Faults.kill_broker),
    "forget-broker": Fault(1, Faults.forget_broker),
    "garbage": Fault(2, Faults.garbage),
    "flush-broker": Fault(1, Faults.flush_broker),
    "stop-worker": Fault(1, Faults.stop_worker),
    "hang-broker": Fault(1, Faults.hang_broker),
    "hang-database": Fault(1, Faults.hang_database, "postgresql"),
    "delay": Fault(1, Faults.delay),
    "stall": Fault(1, Faults.stall),
    "cut": Fault(1, Faults.cut),
    "half-open": Fault(1, Faults.half_open),
    "kill-backend": Fault(2, Faults.kill_backend, "postgresql"),
    "restart-database": Fault(1, Faults.restart_database, "postgresql"),
    "full-disk": Fault(1, Faults.full_disk, "sqlite"),
    "read-only": Fault(1, Faults.read_only, "sqlite"),
    "step-clock": Fault(2, Faults.step_clock, "postgresql"),
    "damage-pdb": Fault(1, Faults.damage_pdb),
    "damage-row": Fault(2, Faults.damage_row),
    "poison": Fault(1, Faults.poison),
}
"""All faults by name.

PostgreSQL does not have the faults of a full or read-only disk, because they stop the server, as
`restart-database` does.
"""


def faults_for_database(database: str) -> list[str]:
    """Return the names of the faults that a kind of database can have."""
    return [name for name, fault in FAULTS.items() if fault.database in (None, database)]


def _flip_bit(data: bytes, rng: random.Random) -> bytes:
    if not data:
        return b"\x01"
    index = rng.randrange(len(data))
    return data[:index] + bytes([data[index] ^ 1 << rng.randrange(8)]) + data[index + 1 :]
