from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from hypothesis import settings
from valkey import Valkey

from tests import lanes, servers
from tilework.core.storage.database import Database
from tilework.core.storage.models import metadata
from tilework.core.storage.schema import upgrade

# Machines are shared and a first call may compile: no example is failed for its time.
settings.register_profile("tilework", deadline=None)
settings.load_profile("tilework")

# Workers that tests start build nothing that takes minutes.
os.environ["TILEWORK_PDB_BUILD"] = "false"

lanes.compile_kernels()

_numbers = count()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if lanes.is_lane():
        lanes.arrange(items)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """URL of a real PostgreSQL, one for a lane's whole run."""
    with servers.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_url(postgres_server: str) -> str:
    """URL of a PostgreSQL database of the newest schema, which tests use one after the other."""
    url = _postgres_database(postgres_server, "tilework")
    upgrade(url)
    return url


@pytest.fixture(scope="session")
def empty_tables(postgres_url: str) -> Iterator[Callable[[], object]]:
    """Remove every row of that database."""
    # A database a test would be cleaner, but PostgreSQL takes a second to make one.
    names = [table.name for table in reversed(metadata.sorted_tables)]
    deletions = "; ".join(f"DELETE FROM {name}" for name in names)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        yield lambda: connection.execute(deletions)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file of the newest schema to copy."""
    path = tmp_path_factory.mktemp("template") / "tilework.sqlite"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def empty_postgres_url(postgres_server: str) -> str:
    """URL of a PostgreSQL database without tables."""
    return _postgres_database(postgres_server, f"empty_{next(_numbers)}")


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of a database of the newest schema without rows: the test runs on both kinds."""
    if request.param == "sqlite":
        path = tmp_path / "tilework.sqlite"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        return f"sqlite:///{path}"
    request.getfixturevalue("empty_tables")()
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A fresh database with the newest schema, and connections for workers that are threads."""
    made = Database(database_url, connections=12)
    yield made
    made.dispose()


@pytest.fixture(scope="session")
def valkey_server() -> Iterator[str]:
    """URL of a real Valkey, one for a lane's whole run."""
    with servers.valkey() as url:
        yield url


@pytest.fixture
def valkey(valkey_server: str) -> str:
    """URL of an empty Valkey."""
    with Valkey.from_url(valkey_server) as client:
        client.flushall()
    return valkey_server


@pytest.fixture(scope="session")
def pattern_databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the whole run: whoever first needs a pattern database builds it there."""
    if not lanes.is_lane():
        return tmp_path_factory.mktemp("pdb")
    # What is built is locked: two lanes never build the same.
    shared = tmp_path_factory.getbasetemp().parent / "pdb"
    shared.mkdir(exist_ok=True)
    return shared


def _postgres_database(server: str, name: str) -> str:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres?", f"/{name}?")
