import pytest

from tilework.core.storage.database import Database


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """URL of a database without tables; the test runs on both kinds."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tilework.sqlite'}"
    postgres_url: str = request.getfixturevalue("empty_postgres_url")
    return postgres_url


@pytest.fixture
def database(url):
    database = Database(url)
    yield database
    database.dispose()
