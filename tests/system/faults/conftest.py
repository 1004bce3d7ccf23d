from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.system.faults.real_system import RealSystem
from tests.system.up.running_system import start
from tilework.core.cli.system.supervisor import Supervisor

__all__ = ["start"]


@pytest.fixture
def make_real_system(
    tmp_path: Path, pattern_databases: Path
) -> Iterator[Callable[..., RealSystem]]:
    with ExitStack() as closing:
        supervisor = closing.enter_context(Supervisor())

        def make(database_url: str, **changes: object) -> RealSystem:
            real_system = RealSystem(
                tmp_path, supervisor, database_url, pattern_databases, **changes
            )
            closing.callback(real_system.close)
            return real_system

        yield make


@pytest.fixture
def real_system(make_real_system: Callable[..., RealSystem], sqlite_url: str) -> RealSystem:
    """A system on SQLite without workers."""
    return make_real_system(sqlite_url)
