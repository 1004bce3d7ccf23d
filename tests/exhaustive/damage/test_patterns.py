"""Pattern databases damaged very often, as they are a few times in tests/integration/damage."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.integration.damage.test_patterns import damage_and_search


@pytest.mark.timeout(3_600)
def test_no_answer_is_wrong(
    pattern_databases: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.ERROR)
    damage_and_search(range(8, 400), pattern_databases, tmp_path, monkeypatch)
