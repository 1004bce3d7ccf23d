"""A whole system: ``tilework up`` on a free port."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from tests.support.shared_servers import RUN_VARIABLE

START_S = 600.0
STOP_S = 120.0
_TOKEN = "a-token"
OPERATOR_LINK = f"/operator?token={_TOKEN}"


def site_databases() -> Path:
    """Return the folder of pattern databases that only the site uses."""
    return Path(os.environ[RUN_VARIABLE]).with_name("site-pdb")


@contextmanager
def run_site() -> Iterator[str]:
    """Run the system with one worker of each kind; yield its URL."""
    with tempfile.TemporaryDirectory(prefix="tilework-site-") as folder:
        command = [str(Path(sys.executable).with_name("tilework")), "up"]
        environment = os.environ | {
            "TILEWORK_PDB_DIR": str(site_databases()),
            "TILEWORK_OPERATOR_TOKEN": _TOKEN,
        }
        log = Path(folder, "up.log")
        with log.open("wb") as file:
            process = subprocess.Popen(
                [*command, "--workers", "1", "--data-dir", folder],
                env=environment,
                stdout=file,
                stderr=file,
            )
        try:
            yield _wait_until_ready(process, log)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(STOP_S)


def _wait_until_ready(process: subprocess.Popen[bytes], log: Path) -> str:
    """Solve a board, so that no test waits for compilation; return the URL."""
    deadline = time.monotonic() + START_S
    url = job = None
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if url is None:
                ready = re.search(r"is ready at (\S+)", log.read_text())
                url = ready and ready[1]
            elif job is None:
                response = httpx2.post(f"{url}/api/v1/jobs", json={"board": "1 2 3 4 5 6 7 0 8"})
                job = response.json()["links"]["self"] if response.is_success else None
            elif httpx2.get(f"{url}{job}?wait=5", timeout=30).json()["state"] == "optimal":
                return url
        except httpx2.TransportError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"the system did not start:\n{log.read_text()}")
