from pathlib import Path

import pytest

from tests.support.live_server import LiveServer, running

__all__ = ["live_server", "running"]


@pytest.fixture
def live_server(running: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LiveServer:
    monkeypatch.setenv("TILEWORK_SERVER", running.url)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    running.work_enabled.set()
    return running
