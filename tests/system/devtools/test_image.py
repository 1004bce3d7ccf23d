"""The container image, built step by step, started, asked and stopped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from devtools.container.clean_root import lacks
from devtools.container.running import Container, engined, has_engine, rooted
from tests.support.said import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800)]


@pytest.fixture(params=["engine", "clean root"])
def container(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Container]:
    if request.param == "engine":
        if not has_engine():
            pytest.skip("no container engine answers")
        starting = engined(ROOT)
    else:
        if lacks():
            pytest.skip(lacks())
        starting = rooted(ROOT, tmp_path)
    with starting as container:
        yield container


def test_it_solves_a_board_and_stops_when_it_is_told_to(container: Container) -> None:
    job = container.visit()
    assert (job["state"], job["upper_bound"]) == ("optimal", 31)
    assert container.is_healthy()
    assert container.stop() == 0
