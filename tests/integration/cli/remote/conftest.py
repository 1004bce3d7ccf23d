from pathlib import Path

import pytest

from tests.support.app_server import LiveServer, module_server

__all__ = ["live_server", "module_server"]


@pytest.fixture
def live_server(
    module_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> LiveServer:
    monkeypatch.setenv("TILEWORK_SERVER", module_server.url)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    module_server.work_enabled.set()
    return module_server
