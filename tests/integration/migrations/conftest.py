from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tilework.core.storage.database import Database


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of a database without tables, of both kinds."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tilework.sqlite'}"
    found: str = request.getfixturevalue("empty_postgres_url")
    return found


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    made = Database(url)
    yield made
    made.dispose()
