"""What is installed, run where no source of the project is."""

from __future__ import annotations

import json
import signal
import subprocess
import tomllib
import urllib.request
from collections.abc import Iterator

import pytest

from tests.support.kernels import ROOT
from tests.system.package.installed import Installed
from tilework.web.assets.static_files import static_version


@pytest.fixture(scope="module")
def server(installed: Installed) -> Iterator[str]:
    """A system started by ``tilework up`` with no option at all but for the number of workers."""
    command = [str(installed.programs / "tilework"), "up", "--workers", "1"]
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


IMPORT_ALL = """
import importlib, pkgutil, tilework
for module in pkgutil.walk_packages(tilework.__path__, "tilework."):
    if not module.name.endswith((".__main__", ".env")):
        print(importlib.import_module(module.name).__file__)
"""

LOADED = """
import sys, tilework
tilework.__version__
print(*{"celery", "flask", "numba", "numpy", "sqlalchemy", "typer"} & {*sys.modules})
"""


def test_all_of_it_is_loaded_from_where_it_is_installed(installed: Installed) -> None:
    loaded = installed.python(IMPORT_ALL).splitlines()
    assert len(loaded) > 400
    assert all(name.startswith(f"{installed.packages}/tilework/") for name in loaded)


def test_the_name_alone_loads_next_to_nothing(installed: Installed) -> None:
    assert installed.python(LOADED) == "\n"


def test_its_commands(installed: Installed) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert installed.tilework("--version") == f"tilework {project['version']}\n"
    assert installed.tilework("solve", "1 2 3 / 4 0 6 / 7 5 8") == "UL\n"


def test_its_migrations(installed: Installed) -> None:
    assert installed.tilework("db", "upgrade") == ""
    assert installed.tilework("db", "check") == "The database matches the models.\n"
    assert (installed.home / "data" / "tilework.sqlite").is_file()


@pytest.mark.parametrize("path", ["/", "/lab", "/openapi"])
def test_its_pages(path: str, server: str) -> None:
    assert fetch(server + path)


@pytest.mark.parametrize("file", ["js/home/home.js", "css/base.css", "js/htmx.js", "favicon.svg"])
def test_their_files(file: str, server: str) -> None:
    assert fetch(f"{server}/static/{static_version()}/{file}")


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
