"""The commands of docs/first-hour.md, one after another, with a container engine."""

import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.servers import free_port
from tests.system.docs.test_docs import find_blocks

ROOT = Path(__file__).parents[3]
LEFT_OUT = {".git", ".venv", "node_modules", "__pycache__", ".mypy_cache", ".ruff_cache", "tests"}
HTTP_PORTS = (80, 443)


def find_obstacle() -> str | None:
    """Say why the page cannot be run here, if so."""
    if shutil.which("docker") is None:
        return "there is no docker"
    for command in (["docker", "info"], ["docker", "compose", "version"]):
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            return f"{' '.join(command)} fails: {result.stderr.strip()[-200:]}"
    for port in HTTP_PORTS:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return f"another program uses port {port}"
    return None


@pytest.mark.timeout(3600)
def test_page_leads_from_an_empty_server_to_a_service(tmp_path: Path) -> None:
    if obstacle := find_obstacle():
        pytest.skip(f"cannot run containers here: {obstacle}")
    folder = tmp_path / "checkout"
    shutil.copytree(ROOT, folder, symlinks=True, ignore=lambda _, names: LEFT_OUT & {*names})
    # A certificate of Caddy's own authority, for a name that needs no DNS.
    (folder / ".curlrc").write_text("insecure\n")
    environment = os.environ | {
        "COMPOSE_PROJECT_NAME": f"tilework-first-hour-{os.getpid()}",
        "CURL_HOME": str(folder),
        # Instead of the port in .env, which may be in use.
        "TILEWORK_PORT": f"127.0.0.1:{free_port()}",
    }

    def run(script: str) -> str:
        result = subprocess.run(
            ["bash", "-e", "-c", script.replace("tiles.example.com", "localhost")],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        print(result.stdout, file=sys.stderr)
        assert result.returncode == 0, f"{script}\n{result.stdout[-3000:]}"
        return result.stdout

    blocks = [
        block.text
        for block in find_blocks(ROOT / "docs" / "first-hour.md")
        if Path(__file__).name in block.reason
    ]
    assert len(blocks) == 7
    settings, start, key, backup, restore, upgrade, password = blocks
    try:
        run(settings)
        answer = run(start)
        [job] = re.findall(r'"id":\s*"([0-9a-f-]{36})"', answer)
        wait = "curl --silent --fail --retry 60 --retry-all-errors https://tiles.example.com/api/v1/jobs"
        assert '"optimal"' in run(f"{wait}/{job}?wait=30")
        assert "secret" in run(key)
        run(backup)
        run("docker compose down --volumes")  # an empty system
        run(restore)
        assert '"optimal"' in run(f"{wait}/{job}?wait=30")
        run(upgrade)
        run(password)
        assert '"optimal"' in run(f"{wait}/{job}?wait=30")
    finally:
        run("docker compose down --volumes")
