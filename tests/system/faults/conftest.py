from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.faults.real_system import RealSystem
from tilework.core.cli.supervisor import Supervisor


@pytest.fixture
def real_system(tmp_path: Path, pattern_databases: Path, sqlite_url: str) -> Iterator[RealSystem]:
    """A system on SQLite without workers."""
    with Supervisor() as supervisor:
        system = RealSystem(tmp_path, supervisor, sqlite_url, pattern_databases)
        yield system
        system.close()
