from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import logging
import structlog
from core.logs import configure_logs
configure_logs("search-2")
structlog.get_logger().info("ready", queues="batch")
structlog.get_logger().debug("too fine")
logging.getLogger("core.services.farm.work").warning("slice %s failed", 7)
logging.getLogger("celery.worker").info("chatter")
"""


def test_every_line_begins_with_its_role_whoever_writes_it() -> None:
    outcome = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=True
    )
    assert outcome.stdout == ""
    first, second = outcome.stderr.splitlines()
    assert "[info     ] [search-2] ready queues=batch" in first
    assert "[warning  ] [search-2] slice 7 failed" in second
