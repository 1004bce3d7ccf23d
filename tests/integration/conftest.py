import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """URL of an empty database with the newest schema; the test runs on both kinds."""
    kind = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    url: str = request.getfixturevalue(kind)
    return url
