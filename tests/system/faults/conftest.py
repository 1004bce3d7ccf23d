from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.faults.stage import Stage
from tilework.core.cli.system.supervisor import Supervisor


@pytest.fixture
def stage(tmp_path: Path, database_url: str, pattern_databases: Path) -> Iterator[Stage]:
    """A system on either kind of database, with no worker yet."""
    with Supervisor() as supervisor:
        made = Stage(tmp_path, supervisor, database_url, pattern_databases)
        try:
            yield made
        finally:
            made.close()
