"""Containers of the image: as an engine runs them, or as processes in a clean root."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from tools.devtools.container import visit
from tools.devtools.container.clean_root import Image, build, command_of, entering

TAG: Final = "tilework:tried"

_STOP_S: Final = 10.0
"""What an engine waits for after SIGTERM before it kills."""


class Container(ABC):
    """A container that runs the image's own command."""

    @abstractmethod
    def visit(self) -> dict[str, Any]:
        """Have a board solved by it, and return the job."""

    @abstractmethod
    def is_healthy(self) -> bool:
        """Run the image's health check in it."""

    @abstractmethod
    def stop(self) -> int:
        """Send its first process SIGTERM, and return the exit code."""


class _Rooted(Container):
    """In namespaces of its own: nothing outside has its ports or its processes."""

    def __init__(self, image: Image) -> None:
        self._image = image
        config = image.config
        entry = image.entry([*config.entrypoint, *config.command], alone=True)
        self._outer = subprocess.Popen(command_of(entry))
        self._first = self._await_first()

    def visit(self) -> dict[str, Any]:
        [port] = self._image.config.ports
        words = [*self._inside("--net"), sys.executable, visit.__file__, str(port)]
        job: dict[str, Any] = json.loads(subprocess.check_output(words))
        return job

    def is_healthy(self) -> bool:
        entry = self._image.entry(self._image.config.healthcheck, joins=True)
        words = [*self._inside("--net", "--pid", "--mount"), *entering(entry)]
        return subprocess.run(words, check=False).returncode == 0

    def stop(self) -> int:
        os.kill(self._first, signal.SIGTERM)
        return self._outer.wait(_STOP_S)

    def kill(self) -> None:
        """End it with all that it has started, however it is."""
        # The kernel ends a namespace's processes with its first.
        with suppress(ProcessLookupError):
            os.kill(self._first, signal.SIGKILL)
        self._outer.kill()
        self._outer.wait()

    def _await_first(self) -> int:
        children = Path(f"/proc/{self._outer.pid}/task/{self._outer.pid}/children")
        while self._outer.poll() is None:
            if found := children.read_text("ascii").split():
                return int(found[0])
            time.sleep(0.01)
        raise SystemExit("no process could be started in namespaces of its own")

    def _inside(self, *spaces: str) -> list[str]:
        return ["nsenter", "--target", str(self._first), *spaces, "--"]


class _Engined(Container):
    def __init__(self, name: str, port: int) -> None:
        self._name = name
        self._port = port

    def visit(self) -> dict[str, Any]:
        return visit.visit(self._port)

    def is_healthy(self) -> bool:
        state = _docker("inspect", "--format", "{{.State.Health.Status}}", self._name)
        return state == "healthy"

    def stop(self) -> int:
        _docker("stop", "--time", f"{_STOP_S:.0f}", self._name)
        return int(_docker("inspect", "--format", "{{.State.ExitCode}}", self._name))


def has_engine() -> bool:
    """Whether a container engine answers on this machine."""
    try:
        done = subprocess.run(["docker", "info"], check=False, capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


@contextmanager
def rooted(source: Path, folder: Path) -> Iterator[Container]:
    """Build the image of a folder without an engine, and start it."""
    container = _Rooted(build(source, folder))
    try:
        yield container
    finally:
        container.kill()


@contextmanager
def engined(source: Path) -> Iterator[Container]:
    """Build the image of a folder with the engine, and start it."""
    subprocess.run(["docker", "build", "--tag", TAG, str(source)], check=True)
    name = _docker("run", "--detach", "--publish", "127.0.0.1::8000", TAG)
    try:
        yield _Engined(name, int(_docker("port", name, "8000").rpartition(":")[2]))
    finally:
        _docker("rm", "--force", "--volumes", name)


def _docker(*words: str) -> str:
    done = subprocess.run(["docker", *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()
