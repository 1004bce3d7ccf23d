import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.waiting import wait_until
from tilework.core.cli.system import processes
from tilework.core.cli.system.processes import lock_folder
from tilework.core.cli.system.supervisor import MIN_BACKOFF_S, Program, Supervisor, format_exit
from tilework.core.errors import OptionError

PIPES: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}

# A program with a grandchild and a child that ignores SIGTERM.
PARENT = """
import os, sys
from tilework.core.cli.system.supervisor import Program
from tilework.core.cli.system.supervisor import Supervisor

with Supervisor() as supervisor:
    for name, script in (
        ("plain", "echo up; exec sleep 6000"),
        ("forking", "sleep 6001 & echo up; wait"),
        ("stubborn", "trap '' TERM; echo up; sleep 6002; sleep 6003"),
    ):
        child = supervisor.start(Program(name, ["sh", "-c", script], dict(os.environ)))
        print(f"{child.group}\\n", end="", flush=True)
    sys.stdin.read()
"""


def group_has_exited(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    # Zombies have exited.
    command = ["ps", "-o", "stat=", "-g", str(group)]
    table = subprocess.run(command, capture_output=True, text=True, check=False)
    return all(line.startswith("Z") for line in table.stdout.split())


def make_program(script: str) -> Program:
    return Program("program", ["sh", "-c", script], dict(os.environ))


def test_every_descendant_dies_with_a_killed_supervisor() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], **PIPES) as parent:
        lines = [parent.stdout.readline() for _ in range(6)]
        groups = [int(line) for line in lines if line != b"up\n"]
        assert len(groups) == 3
        parent.kill()
    wait_until(lambda: all(map(group_has_exited, groups)))


def test_exited_program_is_restarted_and_its_orphans_are_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"

    def has_run_twice() -> bool:
        supervisor.restart_exited()
        return log.exists() and len(log.read_text().split()) >= 2

    with Supervisor() as supervisor:
        child = supervisor.start(make_program(f"echo x >> {log}; sleep 6000 & kill -9 $$"))
        group = child.group
        wait_until(has_run_twice)
        wait_until(lambda: group_has_exited(group))


def test_restarts_back_off() -> None:
    with Supervisor() as supervisor:
        child = supervisor.start(make_program("true"))
        child.process.wait()
        child._started_at = time.monotonic()
        pauses = [child.plan_restart() for _ in range(9)]
        assert pauses[:3] == [MIN_BACKOFF_S, 2 * MIN_BACKOFF_S, 4 * MIN_BACKOFF_S]
        assert pauses[-1] == 10.0
        # A long run resets the back-off.
        child._started_at -= 1_000
        assert child.plan_restart() == MIN_BACKOFF_S
    assert [format_exit(code) for code in (3, -signal.SIGKILL)] == ["exit code 3", "SIGKILL"]


REAPER = """
from tilework.core.cli.system import reaper
read_groups = reaper.read_groups
def announce_and_read(lines):
    print("listening", flush=True)
    return read_groups(lines)
reaper.read_groups = announce_and_read
reaper.main()
"""


def test_reaper_ignores_terminal_signals() -> None:
    child = subprocess.Popen(["sleep", "6000"], process_group=0)
    command = [sys.executable, "-c", REAPER]
    with subprocess.Popen(command, process_group=0, **PIPES) as reaper:
        reaper.stdout.readline()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            reaper.send_signal(number)
        reaper.stdin.write(f"+{child.pid}\n".encode())
        reaper.stdin.close()
        assert child.wait() == -signal.SIGTERM
        assert reaper.wait() == 0


HOLD_LOCK = """
import sys
from pathlib import Path
from tilework.core.cli.system.processes import lock_folder
lock_folder(Path(sys.argv[1]), 0.0)
print("locked", flush=True)
sys.stdin.read()
"""


def test_second_lock_names_folder_and_process(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD_LOCK, str(tmp_path)], **PIPES) as holder:
        holder.stdout.readline()
        with pytest.raises(OptionError, match=rf"{tmp_path}.*process {holder.pid}\).*--data-dir"):
            lock_folder(tmp_path, timeout_s=1_000.0)
        holder.kill()
    os.close(lock_folder(tmp_path, timeout_s=0.0))
    (tmp_path / "other" / "up.lock").mkdir(parents=True)
    with pytest.raises(OptionError, match=r"up\.lock' is not writable"):
        lock_folder(tmp_path / "other", timeout_s=0.0)
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OptionError, match="is not writable"):
        lock_folder(tmp_path / "file" / "data", timeout_s=0.0)


def test_lock_waits_for_children_of_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A copy of the descriptor in another process keeps the lock, like the reaper's.
    descriptor = lock_folder(tmp_path / "new", timeout_s=0.0)
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=(descriptor,))
    os.pwrite(descriptor, b"999999999       ", 0)
    os.close(descriptor)
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: child.communicate())
    monkeypatch.setattr(processes, "time", clock)
    os.close(lock_folder(tmp_path / "new", timeout_s=1_000.0))
    assert child.returncode == 0
