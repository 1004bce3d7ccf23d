"""A server in this process, and the command line that speaks to it."""

from pathlib import Path

import pytest

from tests.support.here import Here, running

__all__ = ["here", "running"]


@pytest.fixture
def here(running: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    monkeypatch.setenv("TILEWORK_SERVER", running.url)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    running.may_work.set()
    return running
