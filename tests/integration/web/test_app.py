import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urljoin

import httpx2
from flask import request
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, MakeApp
from tests.support.servers import free_port
from tests.support.waiting import wait_until
from tilework.core.settings import Settings
from tilework.web.app import create_app

JOB = {"board": EASY_3X3}
EVIL_HOST = {"Host": "evil.example"}
CHECK_MODULES = """
import sys
from pathlib import Path
sys.modules["opentelemetry"] = None  # to import it would be an error; redis would do so otherwise
from tilework.core.settings import Settings
from tilework.web.app import create_app
app = create_app(Settings(data_dir=Path(sys.argv[1]), broker_url="redis://127.0.0.1:1/0"))
client = app.test_client()
assert client.get("/api/v1/lab").status_code == 200
assert client.get("/openapi/openapi.json").status_code == 200
assert client.post("/api/v1/boards/check", json={"board": "1 2 3 0"}).status_code == 200
heavy = {"numba", "llvmlite", "cv2", "PIL"}
assert not heavy & {name.split(".")[0] for name in sys.modules}
assert "tilework.core.solver.solve" not in sys.modules
assert "tilework.core.lab.run" not in sys.modules
"""


def test_web_process_does_not_load_numba(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CHECK_MODULES, str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_secret_is_a_setting_or_created_once_in_a_private_file(tmp_path: Path) -> None:
    create_app(Settings.model_validate({"data_dir": tmp_path, "secret_key": "from outside"}))
    assert list(tmp_path.iterdir()) == []
    create_app(Settings(data_dir=tmp_path))
    file = tmp_path / "secret_key"
    secret = file.read_text()
    create_app(Settings(data_dir=tmp_path))
    assert len(secret) >= 32
    assert file.read_text() == secret
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_only_trusted_proxies_set_the_address_and_scheme(make_app: MakeApp) -> None:
    headers = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    for count, expected in ((1, "203.0.113.9 https"), (0, "127.0.0.1 http")):
        app = make_app(trusted_proxies=count)
        app.add_url_rule("/who", view_func=lambda: f"{request.remote_addr} {request.scheme}")
        assert app.test_client().get("/who", headers=headers).text == expected


def test_hsts_is_sent_over_https_if_configured(make_app: MakeApp, client: FlaskClient) -> None:
    https_client = make_app(hsts_s=3_600, trusted_proxies=1).test_client()
    response = https_client.get("/", headers={"X-Forwarded-Proto": "https"})
    assert response.headers["Strict-Transport-Security"] == "max-age=3600"
    for response in (https_client.get("/"), client.get("/", base_url="https://localhost")):
        assert "Strict-Transport-Security" not in response.headers


def test_links_never_contain_the_host_of_a_request(client: FlaskClient) -> None:
    def fetch(path: str):
        return client.get("/", headers=EVIL_HOST, environ_overrides={"PATH_INFO": path})

    for path in ("", "/openapi/", "//statistics", "//evil.example/", "/static//css/none.css"):
        response = fetch(path)
        assert "Location" not in response.headers
        assert "http://evil.example" not in response.text
    for path in ("/jobs", "//jobs"):
        # Resolved like a browser that requested a different host than the header names.
        target = urljoin("https://tiles.example/", fetch(path).headers["Location"])
        assert target == "https://tiles.example/"
    response = client.post("/api/v1/jobs", json=JOB, headers=EVIL_HOST)
    assert response.headers["Location"].startswith("/api/v1/jobs/")


def test_hosts_that_are_not_trusted_are_rejected(make_app: MakeApp) -> None:
    client = make_app(trusted_hosts="tiles.example, .tiles.example.org").test_client()
    for host in ("tiles.example:8080", "a.tiles.example.org", "tiles.example.org"):
        assert client.get("/", headers={"Host": host}).status_code == 200
        assert client.post("/api/v1/jobs", json=JOB, headers={"Host": host}).status_code == 202
    for host in ("evil.example", "tiles.example.evil.example", "xtiles.example.org", "", "["):
        assert client.get("/", headers={"Host": host}).status_code == 421
        response = client.post("/api/v1/jobs", json=JOB, headers={"Host": host})
        assert (response.status_code, response.json["type"]) == (421, "urn:tilework:problem:host")
        assert "tiles.example" in response.json["detail"]
        # Health probes may use an IP address.
        assert client.get("/healthz", headers={"Host": host}).status_code == 200


def test_job_ends_without_workers(sqlite_url, tmp_path):
    port = free_port()
    command = [sys.executable, "-m", "tilework.web.server", "--host", "127.0.0.1", "--port", port]
    settings = {"TILEWORK_DATABASE_URL": sqlite_url, "TILEWORK_DATA_DIR": str(tmp_path)}
    with (
        subprocess.Popen(list(map(str, command)), env=os.environ | settings) as process,
        httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client,
    ):
        try:

            def is_healthy():
                try:
                    return client.get("/healthz").is_success
                except httpx2.ConnectError:
                    return False

            wait_until(is_healthy)
            request = {"board": "1 2 3 / 0 4 5", "time_limit_s": 1}
            path = client.post("/api/v1/jobs", json=request).headers["Location"]
            wait_until(lambda: client.get(path).json()["finished_at"] is not None)
            assert client.get(path).json()["state"] == "expired"
        finally:
            process.terminate()
