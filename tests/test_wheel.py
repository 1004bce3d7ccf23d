"""The wheel, installed as anybody would and run where no source of the project is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kernels import ROOT, take_compiled_kernels

PACKAGES = ("core", "worker", "web", "migrations")
LARGEST_BYTES = 1_100_000
"""Of the wheel; most of it is text. A database, a cache or a log would show."""

FOR_TRANSLATORS = {
    f"{room}/translations/{name}"
    for room in ("core", "web")
    for name in ("babel.cfg", "pt/LC_MESSAGES/messages.po")
}


class Installed:
    """The wheel in an environment of its own, and an empty folder to run it in.

    The libraries are those that the tests run with: nothing is downloaded.
    """

    def __init__(self, wheel: Path, folder: Path, databases: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self._environment = folder / "environment"
        python = [sys.executable, "-m"]
        run([*python, "venv", "--without-pip", str(self._environment)], folder)
        self.python = self._environment / "bin" / "python"
        pip = [*python, "pip", "--python", str(self.python), "--disable-pip-version-check"]
        run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], folder)
        (self.packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
        self._databases = databases
        take_compiled_kernels(self.packages)

    @property
    def packages(self) -> Path:
        (found,) = self._environment.glob("lib/python*/site-packages")
        return found

    @property
    def variables(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("TILEWORK_", "PYTHON", "NUMBA_"))
        }
        return kept | {
            "HOME": str(self.home),
            "PATH": f"{self.python.parent}{os.pathsep}{os.environ['PATH']}",
            "TILEWORK_DATABASES_DIR": str(self._databases),
            "TILEWORK_PDB_BUILD": "false",
            "LC_ALL": "C.UTF-8",
        }

    def tilework(self, *arguments: str) -> str:
        return run([str(self.python.with_name("tilework")), *arguments], self.home, self.variables)


def run(command: list[str], folder: Path, variables: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory, pattern_databases: Path
) -> Installed:
    return Installed(wheel, tmp_path_factory.mktemp("installed"), pattern_databases)


@pytest.fixture(scope="module")
def server(installed: Installed) -> Iterator[str]:
    """A system started by ``tilework up`` with no option at all but for the number of workers."""
    command = [str(installed.python.with_name("tilework")), "up", "--workers", "1"]
    log = installed.home.with_suffix(".log")
    with log.open("w") as messages:
        process = subprocess.Popen(
            command,
            cwd=installed.home,
            env=installed.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=messages,
            text=True,
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Tilework is ready at "), log.read_text()
        yield line.split()[4]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0, log.read_text()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def fetch(url: str, language: str = "en", body: object = None) -> str:
    request = urllib.request.Request(
        url,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Accept-Language": language, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        text: str = answer.read().decode()
        return text


def test_it_holds_every_source_and_nothing_else(wheel: Path) -> None:
    sources = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == sources - FOR_TRANSLATORS
    assert sources >= FOR_TRANSLATORS
    assert wheel.stat().st_size < LARGEST_BYTES


def test_it_says_what_it_is(wheel: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    with zipfile.ZipFile(wheel) as archive:
        about = f"tilework-{project['version']}.dist-info"
        metadata = archive.read(f"{about}/METADATA").decode()
        licence = archive.read(f"{about}/licenses/LICENSE").decode()
    assert "\nLicense-Expression: MIT\n" in metadata
    assert licence == (ROOT / "LICENSE").read_text()
    assert licence.startswith("MIT License")


def test_nothing_is_loaded_from_the_source_tree(installed: Installed) -> None:
    program = f"import {', '.join(PACKAGES)}\nfor one in {', '.join(PACKAGES)}: print(one.__file__)"
    shown = run([str(installed.python), "-c", program], installed.home, installed.variables)
    folders = [Path(line).parent for line in shown.splitlines()]
    assert folders == [installed.packages / package for package in PACKAGES]


def test_its_commands(installed: Installed) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert installed.tilework("--version") == f"tilework {project['version']}\n"
    assert installed.tilework("solve", "1 2 3 / 4 0 6 / 7 5 8") == "UL\n"


def test_its_migrations(installed: Installed) -> None:
    assert installed.tilework("db", "upgrade") == ""
    assert installed.tilework("db", "check") == "The database matches the models.\n"
    assert (installed.home / "data" / "tilework.sqlite").is_file()


@pytest.mark.parametrize(
    "path",
    ["/", "/lab", "/openapi", "/static/js/home/home.js", "/static/css/base.css", "/assets/htmx.js"],
)
def test_its_pages_and_their_files(path: str, server: str) -> None:
    assert fetch(server + path)


def test_its_translations(server: str) -> None:
    assert '<html lang="en"' in fetch(server)
    translated = fetch(server, language="pt-BR,pt")
    assert '<html lang="pt' in translated
    assert "Resolver" in translated


def test_it_solves_a_board(server: str) -> None:
    asked = {"board": "1 2 3 / 4 5 6 / 0 7 8"}
    job = json.loads(fetch(f"{server}/api/v1/jobs", body=asked))
    while job["state"] not in ("optimal", "bounded", "failed", "expired"):
        job = json.loads(fetch(f"{server}/api/v1/jobs/{job['id']}?wait=20"))
    assert (job["state"], job["lower_bound"], job["upper_bound"]) == ("optimal", 2, 2)
