"""``make dev`` as who works on the project runs it, on a copy of the sources."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.support.kernels import ROOT, take_compiled_kernels

BROKEN = """

@health.get("/broken")
def broken() -> None:
    raise RuntimeError("broken by the test")
"""


class Live:
    """A running system, its sources and its log."""

    def __init__(self, sources: Path, folder: Path, databases: Path) -> None:
        self.sources = sources
        self._log = folder / "log"
        variables = {
            "PYTHONPATH": str(sources),
            "TILEWORK_DATABASES_DIR": str(databases),
            "TILEWORK_DATA_DIR": str(folder / "data"),
        }
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "devtools.live_system"],
                cwd=folder,
                env=os.environ | variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Tilework is ready at http://127.0.0.1:"), self.log
        self.url = line.split()[4]

    @property
    def log(self) -> str:
        return self._log.read_text()

    def page(self, path: str) -> tuple[int, str]:
        """Fetch an address; (0, "") while nothing serves."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def edit(self, name: str, change: Callable[[str], str]) -> None:
        path = self.sources / name
        path.write_text(change(path.read_text()))

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(30) == 0, self.log


def await_that(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 90
    while not condition():
        assert time.monotonic() < deadline, "the time is over"
        time.sleep(0.1)


@pytest.fixture
def live(tmp_path: Path, pattern_databases: Path) -> Iterator[Live]:
    sources = tmp_path / "sources"
    for room in ("tilework", "core", "web", "worker", "migrations", "devtools"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / room, sources / room, symlinks=True, ignore=ignored)
    take_compiled_kernels(sources)
    run = Live(sources, tmp_path, pattern_databases)
    family = psutil.Process(run.process.pid)
    try:
        yield run
    finally:
        if run.process.poll() is None:
            for process in [*family.children(recursive=True), family]:
                process.kill()
            run.process.wait()
        assert run.process.stdout is not None
        run.process.stdout.close()


def test_it_follows_its_sources(live: Live) -> None:
    family = psutil.Process(live.process.pid).children(recursive=True)
    addresses = {
        connection.laddr.ip
        for process in family
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert addresses == {"127.0.0.1"}

    live.edit("web/templates/base.html", lambda text: text + "<!-- changed by the test -->")
    assert "changed by the test" in live.page("/statistics")[1]
    assert "sources changed" not in live.log

    assert live.page("/broken")[0] == 404
    live.edit("web/health.py", lambda text: text + BROKEN)
    await_that(lambda: live.page("/broken")[0] == 500)
    shown = live.page("/broken")[1]
    assert "RuntimeError: broken by the test" in shown
    assert "Werkzeug Debugger" in shown
    await_that(lambda: "[lab-1] ready" in live.log)
    assert live.log.count("[lab-1] ready") == 1

    live.edit("core/services/health.py", lambda text: text + "\n")
    await_that(lambda: live.log.count("[lab-1] ready") == 2)
    await_that(lambda: live.page("/healthz")[0] == 200)

    # A source that cannot be read is no end: what follows mends it.
    live.edit("web/health.py", lambda text: text + "(")
    await_that(lambda: "'(' was never closed" in live.log)
    live.edit("web/health.py", lambda text: text.removesuffix("("))
    await_that(lambda: live.page("/healthz")[0] == 200)
    live.end()
