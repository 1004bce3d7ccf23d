"""The container image, built step by step, started, asked and stopped."""

from pathlib import Path

import pytest

from tools.devtools.container.clean_root import lacks
from tools.devtools.container.running import engined, has_engine, rooted

ROOT = Path(__file__).parents[3]


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("kind", ["engine", "clean root"])
def test_it_solves_a_board_and_stops_when_it_is_told_to(kind: str, tmp_path: Path) -> None:
    lacking = lacks() if kind == "clean root" else None if has_engine() else "no engine answers"
    if lacking:
        pytest.skip(lacking)
    with engined(ROOT) if kind == "engine" else rooted(ROOT, tmp_path) as container:
        job = container.visit()
        assert (job["state"], job["upper_bound"]) == ("optimal", 31)
        assert container.is_healthy()
        assert container.stop() == 0
