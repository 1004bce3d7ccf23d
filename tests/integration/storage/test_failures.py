"""Errors of a database: which ones are its own, and what they say."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from tilework.core.assembly import Services
from tilework.core.errors import DatabaseUnavailableError
from tilework.core.logs import one_line
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.models import api_key, client
from tilework.web.app import create_app

SECRET = "Kanarienvogel"

KEY = {"id": "1", "client_id": SECRET, "name": SECRET, "hash": SECRET, "created_at": 1.0}
FAILING = [
    insert(client).values(id=SECRET, created_at=1.0),  # exists
    insert(client).values(id=f"{SECRET}-2"),  # lacks a value
    insert(client).values([{"id": f"{SECRET}-{n}", "created_at": None} for n in range(3)]),
    insert(api_key).values(KEY | {"id": "2", "client_id": f"{SECRET}-2"}),  # refers to nothing
    update(client).where(client.c.id == SECRET).values(created_at=None),
    delete(client).where(client.c.id == SECRET),  # a key refers to it
    select(text("nonsense")).where(client.c.id == SECRET),
    text("SELECT nonsense FROM client WHERE id = :id").bindparams(id=SECRET),
]


def test_no_error_of_a_statement_contains_its_values(database: Database) -> None:
    with database.writing() as session:
        session.connection.execute(insert(client).values(id=SECRET, created_at=1.0))
        session.connection.execute(insert(api_key).values(KEY))
    for statement in FAILING:
        with pytest.raises(DBAPIError) as error_info, database.writing() as session:
            session.connection.execute(statement)
        error = error_info.value
        assert SECRET not in f"{error} {error!r} {error.orig} {one_line(error)}", statement
        assert "[SQL: " in str(error)
    rows = [{"id": f"{SECRET}-{number}", "created_at": None} for number in range(3)]
    with pytest.raises(DBAPIError) as error_info, database.writing() as session:
        session.connection.execute(insert(client), rows)
    assert SECRET not in str(one_line(error_info.value))


@contextmanager
def locked(url: str, table: str) -> Iterator[None]:
    """Lock a table against all other connections."""
    with psycopg.connect(url) as connection:
        connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield


def test_requests_are_answered_with_503_while_statements_are_cancelled(
    postgres_url: str, tmp_path: Path
) -> None:
    url = f"{postgres_url}&options=-c%20statement_timeout%3D100"
    settings = Settings.model_validate({"data_dir": tmp_path, "database_url": url})
    services = Services(settings, NoTickets())
    browser = create_app(settings, services).test_client()
    board = {"board": "1 2 3 4 5 6 0 7 8"}
    job = browser.post("/api/v1/jobs", json=board).json["id"]
    for table, path, body in (
        ("job", "/api/v1/jobs", board),
        ("client", "/api/v1/jobs", board),
        ("job", f"/api/v1/jobs/{job}", None),
        ("job", "/api/v1/jobs", None),
        ("solve", "/api/v1/statistics", None),
        ("job", f"/jobs/{job}", None),
    ):
        with locked(postgres_url, table):
            other = browser.application.test_client() if table == "client" else browser
            answer = other.post(path, json=body) if body else browser.get(path)
        assert answer.status_code == 503, (table, path, answer.text)
        assert int(answer.headers["Retry-After"]) > 0
    with locked(postgres_url, "alembic_version"), pytest.raises(DatabaseUnavailableError):
        services.storage.check_schema()
    assert browser.get(f"/api/v1/jobs/{job}").status_code == 200
    services.storage.dispose()
