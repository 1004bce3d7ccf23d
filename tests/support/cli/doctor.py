"""The findings of ``tilework doctor`` on a temporary folder."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli.runner import Run
from tilework.core.settings import get_settings

Find = Callable[..., list[dict[str, str]]]


@pytest.fixture
def find(tilework: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Find]:
    """Run the command; return the findings on a subject, or all findings."""
    monkeypatch.setattr("tilework.core.cli.doctor.machine._TIMEOUT_S", 200.0)
    monkeypatch.setattr("tilework.core.cli.doctor.command.TIMEOUT_S", 240.0)

    def run(subject: str | None = None, code: int | None = None, **changes: object) -> Any:
        for name, value in {"data_dir": tmp_path, **changes}.items():
            monkeypatch.setenv(f"TILEWORK_{name.upper()}", str(value))
        get_settings.cache_clear()
        result = tilework("doctor --json")
        if code is not None:
            assert result.code == code, result.out
        findings = result.json
        assert result.code == any(finding["level"] == "fault" for finding in findings)
        assert all(finding["advice"] for finding in findings if finding["level"] != "ok")
        return [finding for finding in findings if subject in (None, finding["subject"])]

    yield run
    get_settings.cache_clear()
