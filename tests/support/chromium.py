"""A Chromium server that all xdist workers share."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@contextmanager
def run_chromium() -> Iterator[str]:
    """Run a headless browser; yield the URL for Playwright's ``connect``.

    It is not the URL of Chromium's own protocol, where all clients see each other's pages.
    """
    chromium = shutil.which("chromium")
    assert chromium is not None, "install it with: apt-get install chromium"
    with tempfile.TemporaryDirectory(prefix="tilework-chromium-") as folder:
        config = Path(folder, "launch.json")
        config.write_text(json.dumps({"executablePath": chromium, "args": SWITCHES}))
        command = [sys.executable, "-m", "playwright", "launch-server"]
        process = subprocess.Popen(
            [*command, "--browser", "chromium", "--config", config],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert process.stdout is not None
        try:
            url = process.stdout.readline().strip()
            assert url.startswith("ws://"), url
            yield url
        finally:
            # The command is a script: its child owns the browser and the other end of the pipe.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.communicate()
