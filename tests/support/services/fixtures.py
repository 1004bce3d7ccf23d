"""Fixtures of all services over one database."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.support.services.house import House, furnish
from tilework.core.storage.database import Database


@pytest.fixture
def make_house(database: Database, tmp_path: Path) -> Callable[..., House]:
    return partial(furnish, database, tmp_path)


@pytest.fixture
def house(make_house: Callable[..., House]) -> House:
    return make_house()
