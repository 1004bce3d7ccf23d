"""A whole system that all tests of a run share."""

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.running_system import RunningSystem
from tests.support.shared_servers import RUN_VARIABLE

_TOKEN = "a-token"
OPERATOR_LINK = f"/operator?token={_TOKEN}"


def site_databases() -> Path:
    """Return the folder of pattern databases that only the site uses."""
    return Path(os.environ[RUN_VARIABLE]).with_name("site-pdb")


@contextmanager
def run_site() -> Iterator[str]:
    """Run the system with one worker of each kind; yield its URL."""
    with tempfile.TemporaryDirectory(prefix="tilework-site-") as folder:
        system = RunningSystem(
            Path(folder, "data"), site_databases(), TILEWORK_OPERATOR_TOKEN=_TOKEN
        )
        try:
            # So that no test waits for compilation.
            system.wait_until_optimal(system.submit("1 2 3 4 5 6 7 0 8"))
            yield system.url
        finally:
            system.process.send_signal(signal.SIGINT)
            system.process.wait()
            system.end()
