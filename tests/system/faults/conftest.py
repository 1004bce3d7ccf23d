from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.system.faults.real_system import RealSystem
from tests.system.up.running_system import start
from tilework.core.cli.system.supervisor import Supervisor

__all__ = ["start"]


@pytest.fixture
def make_stage(tmp_path: Path, pattern_databases: Path) -> Iterator[Callable[..., RealSystem]]:
    with ExitStack() as closing:
        supervisor = closing.enter_context(Supervisor())

        def make(database_url: str, **changes: object) -> RealSystem:
            stage = RealSystem(tmp_path, supervisor, database_url, pattern_databases, **changes)
            closing.callback(stage.close)
            return stage

        yield make


@pytest.fixture
def stage(make_stage: Callable[..., RealSystem], sqlite_url: str) -> RealSystem:
    """A system on SQLite, with no worker yet."""
    return make_stage(sqlite_url)
