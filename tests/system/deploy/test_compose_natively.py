"""The commands of docker-compose.yml, run unchanged with a real PostgreSQL and Valkey."""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import yaml

from tests.support.servers import free_port
from tests.support.waiting import wait_until

ROOT = Path(__file__).parents[3]
TILEWORK = str(Path(sys.executable).with_name("tilework"))
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
LONG_RUNNING = ("web", "worker-interactive", "worker-lab", "worker-search")


def test_services_work_together(
    tmp_path: Path, empty_postgres_url: str, valkey: str, pattern_databases: Path
) -> None:
    port = str(free_port())
    hosts = {"TILEWORK_DATABASE_URL": empty_postgres_url, "TILEWORK_BROKER_URL": valkey}

    def local(words: list[str]) -> list[str]:
        return [word.replace("0.0.0.0", "127.0.0.1").replace("8000", port) for word in words]

    def variables(name: str) -> dict[str, str]:
        """Return the variables that differ outside a container: local folders."""
        (tmp_path / name).mkdir(exist_ok=True)
        return {
            **os.environ,
            "TILEWORK_DATA_DIR": str(tmp_path / "data"),
            "TILEWORK_DATABASES_DIR": str(pattern_databases),
            "TMPDIR": str(tmp_path / name),
        }

    def start(name: str) -> subprocess.Popen[bytes]:
        assert set(SERVICES[name]["environment"]) == {*hosts, "PGPASSWORD"}
        command = [TILEWORK, *local(SERVICES[name]["command"])]
        process = subprocess.Popen(command, env=variables(name) | hosts)
        closing.callback(process.wait)
        closing.callback(process.kill)
        return process

    def is_healthy(name: str) -> bool:
        _, program, *arguments = SERVICES[name]["healthcheck"]["test"]
        assert program == "python"
        command = [sys.executable, *local(arguments)]
        checked = subprocess.run(
            command, env=variables(name), cwd=ROOT, capture_output=True, check=False
        )
        return checked.returncode == 0

    def call(path: str, body: Any = None) -> Any:
        method = "GET" if body is None else "POST"
        url = f"http://127.0.0.1:{port}/api/v1/{path}"
        return httpx2.request(method, url, json=body, timeout=60).raise_for_status().json()

    with ExitStack() as closing:
        assert start("migrations").wait() == 0
        long_running = [start(name) for name in LONG_RUNNING]
        for name in LONG_RUNNING:
            wait_until(lambda name=name: is_healthy(name))
        job = call("jobs", {"board": "8 6 7 2 5 4 3 0 1"})["id"]
        wait_until(lambda: call(f"jobs/{job}?wait=5")["state"] == "optimal")
        assert call(f"jobs/{job}")["upper_bound"] == 31
        body = {"board": "1 2 3 4 5 6 0 7 8", "methods": ["breadth-first"]}
        compared = call("comparisons", body)["id"]
        wait_until(lambda: call(f"comparisons/{compared}")["unfinished"] == 0)
        for process in long_running:
            process.send_signal(signal.SIGTERM)
        assert [process.wait() for process in long_running] == [0] * 4
