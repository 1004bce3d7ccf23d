import pytest

from tilework.core.storage.database import Database


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """URL of a database without tables, of both kinds."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tilework.sqlite'}"
    found: str = request.getfixturevalue("empty_postgres_url")
    return found


@pytest.fixture
def database(url):
    migrated = Database(url)
    yield migrated
    migrated.dispose()
