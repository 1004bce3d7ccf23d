from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tilework.core.cli.system.child import FIRST_PAUSE_S, Program
from tilework.core.cli.system.supervisor import Supervisor, describe_exit

# A parent whose children include a grandchild and one that ignores SIGTERM.
PARENT = """
import os, sys, time
from tilework.core.cli.system.child import Program
from tilework.core.cli.system.supervisor import Supervisor

with Supervisor() as supervisor:
    for name, script in (
        ("plain", "exec sleep 60"),
        ("forking", "sleep 61 & wait"),
        ("stubborn", "trap '' TERM; sleep 62; sleep 63"),
    ):
        child = supervisor.start(Program(name, ["sh", "-c", script], dict(os.environ)))
        print(child.group, flush=True)
    print("done", flush=True)
    time.sleep(60)
"""


def eventually(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def group_is_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    # A zombie that nobody has buried yet is as good as gone.
    table = subprocess.run(
        ["ps", "-o", "stat=", "-g", str(group)], capture_output=True, text=True, check=False
    )
    return all(line.startswith("Z") for line in table.stdout.split())


def sleeper(name: str = "sleeper") -> Program:
    return Program(name, ["sleep", "60"], dict(os.environ))


def test_every_descendant_dies_with_a_killed_supervisor() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        groups = [int(parent.stdout.readline()) for _ in range(3)]
        assert parent.stdout.readline() == b"done\n"
        parent.kill()
    assert eventually(lambda: all(map(group_is_gone, groups)))


def test_a_program_that_ends_is_started_again(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    program = Program("brief", ["sh", "-c", f"echo x >> {marks}; exit 3"], dict(os.environ))

    def has_run_twice() -> bool:
        supervisor.tend()
        return marks.exists() and len(marks.read_text().split()) >= 2

    with Supervisor() as supervisor:
        supervisor.start(program)
        assert eventually(has_run_twice)


def test_restarts_come_slower_and_slower() -> None:
    with Supervisor() as supervisor:
        child = supervisor.start(Program("brief", ["true"], dict(os.environ)))
        assert child.process is not None
        child.process.wait()
        pauses = [child.plan_restart() for _ in range(9)]
    assert pauses[:3] == [FIRST_PAUSE_S, 2 * FIRST_PAUSE_S, 4 * FIRST_PAUSE_S]
    assert pauses[-1] == 10.0


def test_what_a_crashed_program_left_behind_is_ended() -> None:
    with Supervisor() as supervisor:
        child = supervisor.start(
            Program("leaver", ["sh", "-c", "sleep 61 & sleep 0.2; kill -9 $$"], dict(os.environ))
        )
        group = child.group
        assert group is not None
        assert eventually(lambda: child.exit_code() is not None)
        supervisor.tend()
        assert eventually(lambda: group_is_gone(group))


def test_leaving_ends_everything() -> None:
    with Supervisor() as supervisor:
        groups = [supervisor.start(sleeper(name)).group for name in "abc"]
    assert all(group is not None and group_is_gone(group) for group in groups)


def test_an_error_inside_ends_everything_too() -> None:
    groups: list[int | None] = []

    def fail() -> None:
        with Supervisor() as supervisor:
            groups.append(supervisor.start(sleeper()).group)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert groups[0] is not None
    assert group_is_gone(groups[0])


@pytest.mark.parametrize(
    ("code", "words"), [(0, "exit code 0"), (3, "exit code 3"), (-signal.SIGKILL, "SIGKILL")]
)
def test_exit_codes_in_words(code: int, words: str) -> None:
    assert describe_exit(code) == words
