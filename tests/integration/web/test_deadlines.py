"""A web process also ends jobs, because without workers nothing else would."""

import os
import subprocess
import sys

import httpx2

from tests.support.servers import free_port
from tests.support.waiting import wait_until


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
