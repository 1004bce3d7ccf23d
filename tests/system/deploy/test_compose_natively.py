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

    def localize(arguments: list[str]) -> list[str]:
        return [text.replace("0.0.0.0", "127.0.0.1").replace("8000", port) for text in arguments]

    def make_environment(name: str) -> dict[str, str]:
        """Return the environment of a service, with local folders instead of a container's."""
        (tmp_path / name).mkdir(exist_ok=True)
        return {
            **os.environ,
            "TILEWORK_DATA_DIR": str(tmp_path / "data"),
            "TILEWORK_PDB_DIR": str(pattern_databases),
            "TMPDIR": str(tmp_path / name),
        }

    def start(name: str) -> subprocess.Popen[bytes]:
        known = {*hosts, "PGPASSWORD", "TILEWORK_PDB_DIR"}
        assert SERVICES[name]["environment"].keys() <= known
        command = [TILEWORK, *localize(SERVICES[name]["command"])]
        process = subprocess.Popen(command, env=make_environment(name) | hosts)
        stack.callback(process.wait)
        stack.callback(process.kill)
        return process

    def is_healthy(name: str) -> bool:
        check = (ROOT / "deploy/image/health").read_text()
        program = check.replace("/proc/1/", f"/proc/{processes[name].pid}/")
        command = [sys.executable, "-c", *localize([program])]
        result = subprocess.run(
            command, env=make_environment(name), cwd=ROOT, capture_output=True, check=False
        )
        return result.returncode == 0

    def call(path: str, body: Any = None) -> Any:
        method = "GET" if body is None else "POST"
        url = f"http://127.0.0.1:{port}/api/v1/{path}"
        return httpx2.request(method, url, json=body, timeout=60).raise_for_status().json()

    with ExitStack() as stack:
        assert start("migrations").wait() == 0
        processes = {name: start(name) for name in LONG_RUNNING}
        for name in LONG_RUNNING:
            wait_until(lambda name=name: is_healthy(name))
        job = call("jobs", {"board": "8 6 7 2 5 4 3 0 1"})["id"]
        wait_until(lambda: call(f"jobs/{job}?wait=5")["state"] == "optimal")
        assert call(f"jobs/{job}")["upper_bound"] == 31
        body = {"board": "1 2 3 4 5 6 0 7 8", "methods": ["breadth-first"]}
        comparison = call("comparisons", body)["id"]
        wait_until(lambda: call(f"comparisons/{comparison}")["unfinished"] == 0)
        for process in processes.values():
            process.send_signal(signal.SIGTERM)
        assert [process.wait() for process in processes.values()] == [0] * 4
