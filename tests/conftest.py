"""Fixtures that all tests share (databases, servers), and the order of tests on xdist workers."""

import gc
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from filelock import FileLock
from hypothesis import settings
from valkey import Valkey

from hatch_build import compile_translations
from tests.support import shared_servers, xdist
from tilework.core.machine import usable_processors
from tilework.core.storage.database import Database
from tilework.core.storage.models import metadata
from tilework.core.storage.schema import upgrade

# No deadline: machines are shared, and a first call may compile. Examples are the same in each run,
# so more of them only take more time.
settings.register_profile("tilework", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("tilework")

# A shell that runs the tests in the background makes them, and their children, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Workers started by tests must not spend minutes building pattern databases.
os.environ["TILEWORK_PDB_BUILD"] = "false"

pytest_plugins = [
    "tests.support.cli.runner",
    "tests.support.services.service_fixture",
    "tests.support.running_system",
]

_database_numbers = count()
_server_process = pytest.StashKey[shared_servers.ServerProcess]()


def pytest_configure(config: pytest.Config) -> None:
    # Tests create few reference cycles but many objects, which take long to scan.
    gc.set_threshold(100_000, 50, 1000)
    if not xdist.is_xdist_worker():
        compile_translations(config.rootpath)
        config.stash[_server_process] = shared_servers.ServerProcess()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are processors if tests wait for servers and pages."""
    return usable_processors() + (config.args != ["tests/unit"])


def pytest_unconfigure(config: pytest.Config) -> None:
    if (process := config.stash.get(_server_process, None)) is not None:
        process.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle-files", type=int, metavar="SEED", help="a random order of files")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    xdist.sort_items(items, config.getoption("--shuffle-files"))


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all xdist workers of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if xdist.is_xdist_worker() else base


@pytest.fixture(scope="session")
def sqlite_template(run_folder: Path) -> Path:
    """A SQLite file of the newest schema to copy."""
    path = run_folder / "template.sqlite"
    with FileLock(f"{path}.lock"):
        if not path.exists():
            draft = run_folder / "draft.sqlite"
            upgrade(f"sqlite:///{draft}")
            draft.rename(path)
    return path


@pytest.fixture
def sqlite_url(tmp_path: Path, sqlite_template: Path) -> str:
    """URL of a SQLite database of the newest schema without rows."""
    path = tmp_path / "tilework.sqlite"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture(scope="session")
def postgres_server() -> str:
    """URL of the run's PostgreSQL."""
    return shared_servers.server_url("postgres")


@pytest.fixture(scope="session")
def xdist_postgres_url(postgres_server: str) -> str:
    """URL of a PostgreSQL database of the newest schema, shared by the tests of an xdist worker."""
    url = _postgres_database(postgres_server, f"worker_{xdist.worker_number()}")
    upgrade(url)
    return url


@pytest.fixture(scope="session")
def empty_tables(xdist_postgres_url: str) -> Iterator[Callable[[], object]]:
    """A function that deletes all rows of that database."""
    # A database for each test would be cleaner, but PostgreSQL takes a second to create one.
    names = [table.name for table in reversed(metadata.sorted_tables)]
    deletions = "; ".join(f"DELETE FROM {name}" for name in names)
    with psycopg.connect(xdist_postgres_url, autocommit=True) as connection:
        yield lambda: connection.execute(deletions)


@pytest.fixture
def postgres_url(xdist_postgres_url: str, empty_tables: Callable[[], object]) -> str:
    """URL of a PostgreSQL database of the newest schema without rows."""
    empty_tables()
    return xdist_postgres_url


@pytest.fixture
def empty_postgres_url(postgres_server: str) -> str:
    """URL of a PostgreSQL database without tables."""
    return _postgres_database(
        postgres_server, f"empty_{xdist.worker_number()}_{next(_database_numbers)}"
    )


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """URL of a database of the newest schema without rows; a folder of tests may override it with
    both kinds.
    """
    return sqlite_url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A fresh database with the newest schema, and connections for workers that are threads."""
    created = Database(database_url, connections=12)
    yield created
    created.dispose()


@pytest.fixture
def valkey() -> str:
    """URL of an empty Valkey: each xdist worker has a numbered database of the run's server."""
    url = shared_servers.server_url("valkey").replace("/0", f"/{xdist.worker_number()}")
    with Valkey.from_url(url) as client:
        client.flushdb()
    return url


@pytest.fixture(scope="session")
def pattern_databases(run_folder: Path) -> Path:
    """A folder for the run; the first test that needs a pattern database builds it there."""
    # Building is locked: two xdist workers never build the same database.
    folder = run_folder / "pdb"
    folder.mkdir(exist_ok=True)
    return folder


def _postgres_database(server: str, name: str) -> str:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres?", f"/{name}?")
