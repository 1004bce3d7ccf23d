import shutil
import subprocess
from pathlib import Path

import psycopg
import pytest

from tests.support.cli.runner import Run
from tilework.core.settings import get_settings
from tilework.core.storage.database import Database, known_revisions

pytestmark = pytest.mark.usefixtures("data_folder")


def test_upgrade_check_and_downgrade(tilework: Run) -> None:
    result = tilework("keys list")
    assert result.code == 3
    assert "tilework db upgrade" in result.err
    newest = known_revisions()[0]
    result = tilework("db upgrade")
    assert result.out == f"Migrated the database from no schema to schema {newest}.\n"
    assert tilework("db upgrade").out == f"The database already has schema {newest}.\n"
    result = tilework("db check")
    assert (result.code, result.out) == (0, "The database matches the models.\n")
    assert tilework("db downgrade -1").code == 0
    assert tilework("db check").code == 1
    assert tilework("db downgrade base").code == 0
    result = tilework("db check")
    assert result.code == 1
    assert "add_table" in result.out
    result = tilework("db upgrade nonsense")
    assert result.code == 2
    assert "'nonsense'" in result.err


@pytest.mark.parametrize(
    "command",
    ["db check", "db downgrade -1", "db backup copy", "keys list", "keys create x", "audit"],
)
def test_missing_database_is_not_created(tilework: Run, data_folder: Path, command: str) -> None:
    result = tilework(command)
    assert (result.code, list(data_folder.iterdir())) == (3, [])
    file = str(data_folder / "tilework.sqlite")
    expected = f"tilework: there is no database {file!r}; `tilework db upgrade` creates it\n"
    assert result.err == expected


def test_unreachable_database_is_reported(tilework: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql+psycopg://nobody@127.0.0.1:1/tilework?connect_timeout=2"
    monkeypatch.setenv("TILEWORK_DATABASE_URL", url)
    get_settings.cache_clear()
    result = tilework("db check")
    assert result.code == 3
    assert result.err.startswith("tilework: the database cannot be used: ")


def test_rejected_password_is_reported_with_the_remedy(
    tilework: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(*_arguments: object, **_options: object) -> object:
        raise psycopg.OperationalError(
            'connection failed: FATAL:  password authentication failed for user "tilework"\n'
        )

    monkeypatch.setattr(psycopg, "connect", connect)
    monkeypatch.setenv("TILEWORK_DATABASE_URL", "postgresql://tilework:second@127.0.0.1:1/tilework")
    get_settings.cache_clear()
    result = tilework("db upgrade")
    assert result.code == 3
    assert "PostgreSQL rejects the password" in result.err
    assert "keeps the password that it was created with" in result.err
    assert "second" not in result.err


def test_up_does_not_wait_for_a_later_schema_to_change(
    executable: Path, empty_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(empty_postgres_url)
    with database.engine(writes=True).begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version AS SELECT '9999' AS version_num")
    database.dispose()
    monkeypatch.setenv("TILEWORK_DATABASE_URL", empty_postgres_url)
    monkeypatch.setenv("TILEWORK_BROKER_URL", "redis://127.0.0.1:1/0")
    command = [executable, "up", "--workers", "1"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 3
    assert "the database has the schema '9999'" in result.stderr


def test_key_lifecycle(tilework: Run, data_folder: Path, sqlite_template: Path) -> None:
    shutil.copyfile(sqlite_template, data_folder / "tilework.sqlite")
    created = dict(line.split() for line in tilework("keys create ci-runner").out.splitlines())
    assert set(created) == {"id", "client", "secret"}
    header, row = (line.split("\t") for line in tilework("keys list").out.splitlines())
    key = dict(zip(header, row, strict=True))
    assert (key["id"], key["client"]) == (created["id"], created["client"])
    assert (key["name"], key["revoked"]) == ("ci-runner", "")
    assert created["secret"] not in row
    assert tilework("keys revoke", created["id"]).code == 0
    assert not tilework("keys list").out.splitlines()[1].endswith("\t")
    # A second key of the client, and a key of another client.
    tilework("keys create two --client", created["client"])
    tilework("keys create three")
    assert len(tilework("keys list").out.splitlines()) == 4
    assert len(tilework("keys list --client", created["client"]).out.splitlines()) == 3
    assert tilework("keys revoke nonsense").code == 2
    assert tilework("keys create one --client nonsense").code == 2
