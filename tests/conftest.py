from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from hypothesis import settings
from valkey import Valkey

from core.storage.database import Database
from core.storage.schema import upgrade
from tests import servers

# Machines are shared and a first call may compile: no example is failed for its time.
settings.register_profile("tilework", deadline=None)
settings.load_profile("tilework")

TEMPLATE = "tilework_template"

_numbers = count()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """URL of a real PostgreSQL, one for the whole run."""
    with servers.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """The server's URL, with a database of the newest schema to copy."""
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {TEMPLATE}")
    upgrade(postgres_server.replace("/postgres?", f"/{TEMPLATE}?"))
    return postgres_server


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file of the newest schema to copy."""
    path = tmp_path_factory.mktemp("template") / "tilework.sqlite"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def empty_postgres_url(postgres_server: str) -> Iterator[str]:
    """URL of a PostgreSQL database without tables."""
    yield from _postgres_database(postgres_server, "template0")


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """URL of a fresh database with the newest schema: the test runs on both kinds."""
    if request.param == "sqlite":
        path = tmp_path / "tilework.sqlite"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        yield f"sqlite:///{path}"
    else:
        yield from _postgres_database(request.getfixturevalue("postgres_template"), TEMPLATE)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A fresh database with the newest schema."""
    made = Database(database_url)
    yield made
    made.dispose()


@pytest.fixture(scope="session")
def valkey_server() -> Iterator[str]:
    """URL of a real Valkey, one for the whole run."""
    with servers.valkey() as url:
        yield url


@pytest.fixture
def valkey(valkey_server: str) -> Iterator[str]:
    """URL of an empty Valkey."""
    with Valkey.from_url(valkey_server) as client:
        client.flushall()
    yield valkey_server


@pytest.fixture(scope="session")
def pattern_databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the whole run: whoever first needs a pattern database builds it there."""
    return tmp_path_factory.mktemp("pdb")


def _postgres_database(server: str, template: str) -> Iterator[str]:
    name = f"tilework_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield server.replace("/postgres?", f"/{name}?")
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
