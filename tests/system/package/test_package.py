"""The content of the archives, and the installed wheel without its sources."""

import os
import signal
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import httpx2
import pytest

from tests.support.waiting import TIMEOUT_S
from tests.system.programs import run
from tilework.web.assets import static_version

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

PACKAGES = ("core", "migrations", "web", "worker")
"""Folders of the checkout that are packages within ``tilework``."""

MAX_WHEEL_BYTES = 1_700_000
"""The wheel is mostly text, a font and two weights files; a database or log would exceed it."""
MAX_FILE_BYTES = 80_000
"""The largest file in the wheel is a weights file of 72 KB."""
SUFFIXES = {
    "",  # includes the font's licence, as .txt
    *(".py", ".html", ".css", ".js", ".svg", ".txt", ".cfg", ".mako", ".typed"),
    *(".mo", ".npz", ".tlw", ".woff2"),
}
NOT_INSTALLED = {
    "tilework/README.md",
    *(
        f"tilework/{package}/translations/{name}"
        for package in ("core", "web")
        for name in ("babel.cfg", "pt/LC_MESSAGES/messages.po")
    ),
}
COMPILED = {
    f"tilework/{package}/translations/pt/LC_MESSAGES/messages.mo" for package in ("core", "web")
}


def build(kind: str, source: Path, folder: Path) -> Path:
    run([sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)], source)
    (archive,) = folder.iterdir()
    return archive


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


class Installation:
    """The wheel in a separate environment, and an empty folder to run it in.

    The libraries are those of the tests: nothing is downloaded.
    """

    def __init__(self, wheel: Path, folder: Path, databases: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        environment = folder / "environment"
        run([sys.executable, "-m", "venv", "--without-pip", str(environment)], folder)
        self.programs = environment / "bin"
        pip = [sys.executable, "-m", "pip", "--python", str(self.programs / "python")]
        install = ["install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
        run([*pip, *install, str(wheel)], folder)
        (self.packages,) = environment.glob("lib/python*/site-packages")
        (self.packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("TILEWORK_", "PYTHON", "NUMBA_"))
        }
        self.variables = inherited | {
            "HOME": str(self.home),
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"),
            "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
            "TILEWORK_PDB_DIR": str(databases),
            "TILEWORK_PDB_BUILD": "false",
            "LC_ALL": "C.UTF-8",
        }

    def run_tilework(self, *arguments: str) -> str:
        return run([str(self.programs / "tilework"), *arguments], self.home, self.variables)

    def run_python(self, program: str) -> str:
        return run([str(self.programs / "python"), "-c", program], self.home, self.variables)


@pytest.fixture(scope="module")
def installation(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory, pattern_databases: Path
) -> Installation:
    return Installation(wheel, tmp_path_factory.mktemp("installed"), pattern_databases)


def test_wheel_contains_every_source_and_nothing_else(wheel: Path) -> None:
    sources = {
        f"tilework/{path.relative_to(folder.parent if package else folder).as_posix()}"
        for package in ("", *PACKAGES)
        for folder in [ROOT / (package or "tilework")]
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert sources >= NOT_INSTALLED | COMPILED | {"tilework/py.typed"}
    info = f"tilework-{PROJECT['version']}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        files = [file for file in archive.infolist() if not file.filename.startswith(f"{info}/")]
        metadata = archive.read(f"{info}/METADATA").decode()
        licence = archive.read(f"{info}/licenses/LICENSE").decode()
    assert {file.filename for file in files} == sources - NOT_INSTALLED
    assert {Path(file.filename).suffix for file in files} <= SUFFIXES
    assert max(file.compress_size for file in files) < MAX_FILE_BYTES
    assert wheel.stat().st_size < MAX_WHEEL_BYTES
    assert "\nLicense-Expression: MIT\n" in metadata
    assert licence == (ROOT / "LICENSE").read_text()


def test_source_archive_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("sdist", "unpacked", "rebuilt")]
    for folder in folders:
        folder.mkdir()
    with tarfile.open(build("sdist", ROOT, folders[0])) as archive:
        assert all(member.isfile() for member in archive.getmembers())
        assert not any(name.endswith(".mo") for name in archive.getnames()), (
            "the wheel's build compiles them"
        )
        archive.extractall(folders[1], filter="data")
    (source,) = folders[1].iterdir()
    assert build("wheel", source, folders[2]).read_bytes() == wheel.read_bytes()


IMPORT_ALL = """
import sys, tilework
tilework.__version__
print(*{"celery", "flask", "numba", "numpy", "sqlalchemy", "typer"} & {*sys.modules})
import importlib, pkgutil
for module in pkgutil.walk_packages(tilework.__path__, "tilework."):
    if not module.name.endswith((".__main__", ".env")):
        print(importlib.import_module(module.name).__file__)
"""


def test_all_modules_are_loaded_from_the_installation(installation: Installation) -> None:
    libraries, *paths = installation.run_python(IMPORT_ALL).splitlines()
    assert libraries == "", "`import tilework` loads no large library"
    package = Path(installation.packages, "tilework")
    others = {str(path.relative_to(package)) for path in package.rglob("*.py")}
    others -= {str(Path(path).relative_to(package)) for path in paths}
    # Alembic and `python -m` load the others.
    others = {name for name in others if not name.endswith("__main__.py")}
    assert others == {"__init__.py", "migrations/env.py", "migrations/versions/0001_tables.py"}


def test_installed_commands_work(installation: Installation) -> None:
    assert installation.run_tilework("--version") == f"tilework {PROJECT['version']}\n"
    assert installation.run_tilework("solve", "1 2 3 / 4 0 6 / 7 5 8") == "UL\n"
    assert installation.run_tilework("db", "upgrade").startswith("Migrated the database ")
    assert installation.run_tilework("db", "check") == "The database matches the models.\n"
    assert (installation.home / "data" / "tilework.sqlite").is_file()


def test_installed_system_serves_pages_and_solves_a_board(installation: Installation) -> None:
    """A system started by ``tilework up`` without options other than the number of workers."""
    log = installation.home.with_suffix(".log")
    with (
        log.open("w") as log_file,
        subprocess.Popen(
            [str(installation.programs / "tilework"), "up", "--workers", "1"],
            cwd=installation.home,
            env=installation.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log_file,
            text=True,
        ) as process,
    ):
        line = process.stdout.readline()
        assert line.startswith("Tilework is ready at "), log.read_text()
        with httpx2.Client(base_url=line.split()[4], timeout=TIMEOUT_S) as client:
            try:
                for path in ("/lab", "/openapi", f"/static/{static_version()}/css/base.css"):
                    assert client.get(path).status_code == 200
                assert "Resolver" in client.get("/", headers={"Accept-Language": "pt"}).text
                job = client.post("/api/v1/jobs", json={"board": "1 2 3 / 4 5 6 / 0 7 8"}).json()
                while job["finished_at"] is None:
                    job = client.get(f"/api/v1/jobs/{job['id']}?wait=20").json()
                assert (job["state"], job["lower_bound"], job["upper_bound"]) == ("optimal", 2, 2)
            finally:
                process.send_signal(signal.SIGINT)
        assert process.wait() == 0, log.read_text()


PROGRAM = """
import tilework
from tilework import Board, Client, Goal, Job, Run, Solution, Solver, compare, scramble, solve

version: str = tilework.__version__
number: int = tilework.__version__  # type: ignore[assignment]

board: Board = Board("0 1 3 / 4 2 5 / 7 8 6")
twins: list[Board] = [neighbor.twin() for neighbor in board.neighbors()]
solution: Solution = solve(board, Goal.BLANK_LAST, target=0.1)
boards: list[Board] | None = Solver(board).solution()
minimum: int = Solver(board).moves()
runs: list[Run] = compare(board, ["breadth-first"])
board.size = board.size  # type: ignore[misc]
solve(None)  # type: ignore[arg-type]


def show(job: Job) -> None:
    print(job.state, job.upper_bound)


with Client("http://127.0.0.1:8000") as client:
    job: Job = client.submit(scramble(3)).wait(progress=show)
    states: dict[str, int] = client.submit_all([board]).wait().states
"""


def test_user_program_passes_strict_mypy(installation: Installation, tmp_path: Path) -> None:
    # mypy rejects unnecessary `type: ignore` comments, so the types cannot all be Any.
    (tmp_path / "program.py").write_text(PROGRAM)
    options = ["--strict", "--python-executable", str(installation.programs / "python")]
    result = run([sys.executable, "-m", "mypy", *options, "program.py"], tmp_path)
    assert result == "Success: no issues found in 1 source file\n"
