"""Jobs in slides are gone where the schema knows none; all others are as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from tests.support.services.house import furnish
from tests.support.services.sliding import SlidingSolver
from tests.support.services.staging import BOARD, LENGTH
from tilework.core.errors import NotFoundError
from tilework.core.puzzle.metric import Metric
from tilework.core.storage.database import Database
from tilework.core.storage.models import job, solve
from tilework.core.storage.schema import check, downgrade, upgrade


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tilework.sqlite'}"
    found: str = request.getfixturevalue("empty_postgres_url")
    return found


def test_down_and_up_again(url: str, tmp_path: Path) -> None:
    upgrade(url)
    database = Database(url)
    house = furnish(database, tmp_path)
    house.solver = SlidingSolver()
    try:
        in_slides = house.ask(BOARD, metric=Metric.SLIDES, key="k")
        in_moves = house.ask(BOARD)
        house.work()
        waiting = house.ask(next(BOARD.neighbors()), metric=Metric.SLIDES)
        database.dispose()
        downgrade(url, "0017")
        upgrade(url)
        assert check(url) == []
        with database.engine(writes=False).connect() as connection:
            for table in (job, solve):
                assert connection.execute(select(func.count()).select_from(table)).scalar() == 1
        # Its seal still fits.
        found = house.read.view(in_moves.id)
        assert (found.metric, found.upper_bound) == (Metric.MOVES, LENGTH)
        for gone in (in_slides, waiting):
            with pytest.raises(NotFoundError):
                house.read.view(gone.id)
        again = house.ask(BOARD, metric=Metric.SLIDES, key="k")
        house.work()
        assert house.read.view(again.id).finished
    finally:
        database.dispose()
