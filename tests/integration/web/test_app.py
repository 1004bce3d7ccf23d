from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from flask import Flask

from tilework.core.settings import Settings
from tilework.web.app import create_app


def test_the_web_process_loads_no_numba(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from tilework.core.settings import Settings
from tilework.web.app import create_app
app = create_app(Settings(data_dir=Path(sys.argv[1]), broker_url="redis://127.0.0.1:1/0"))
client = app.test_client()
assert client.get("/openapi/openapi.json").status_code == 200
checked = client.post("/api/v1/boards/check", json={"board": list(range(1, 300)) + [0]})
assert checked.status_code == 200
loaded = [name for name in sys.modules if name.split(".")[0] in {"numba", "llvmlite", "cv2", "PIL"}]
assert not loaded, loaded
assert "tilework.core.solver.solve" not in sys.modules
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_without_a_secret_in_the_settings_one_is_made_once_for_its_owner_only(
    tmp_path: Path,
) -> None:
    settings = Settings(data_dir=tmp_path)
    create_app(settings)
    made = tmp_path / "secret_key"
    secret = made.read_text()
    create_app(settings)
    assert len(secret) >= 32
    assert made.read_text() == secret
    assert made.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_a_secret_of_the_settings_is_written_nowhere(tmp_path: Path) -> None:
    create_app(Settings.model_validate({"data_dir": tmp_path, "secret_key": "from outside"}))
    assert list(tmp_path.iterdir()) == []


def test_behind_proxies_the_clients_own_address_and_scheme_are_known(make_app) -> None:
    app: Flask = make_app(trusted_proxies=1)
    app.add_url_rule("/who", view_func=_who)
    answer = app.test_client().get(
        "/who", headers={"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    )
    assert answer.text == "203.0.113.9 https"


def test_without_proxies_nobody_is_believed_about_addresses(app: Flask) -> None:
    app.add_url_rule("/who", view_func=_who)
    answer = app.test_client().get("/who", headers={"X-Forwarded-For": "203.0.113.9"})
    assert answer.text == "127.0.0.1 http"


def _who() -> str:
    from flask import request

    return f"{request.remote_addr} {request.scheme}"
