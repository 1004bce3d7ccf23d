import sys
from subprocess import run

PROGRAM = """
import logging, sys, threading
import structlog
from tilework.core.logs import configure_logs
configure_logs("search-2")
structlog.get_logger().info("ready", queues="batch")
structlog.get_logger().debug("too detailed")
logging.getLogger("tilework.core.services.farm.slice_worker").warning("slice %s failed", 7)
logging.getLogger("celery.worker").info("not important")

def fail(argument):
    local = "a-" + "local-" + "value"
    raise ValueError("first line\\nsecond line" + "x" * 10_000)

try:
    fail("argument")
except ValueError:
    structlog.get_logger().exception("by structlog")
    logging.getLogger("celery.app.trace").exception("by the library %s", "a\\r\\nb")
    structlog.get_logger().error("with an id", error_id="0123456789", exc_info=True)
thread = threading.Thread(target=fail, args=("argument",))
thread.start()
thread.join()
structlog.get_logger().info("y" * 100_000)
fail("argument")
"""


def test_lines_name_the_role_and_errors_have_one_line_with_an_id_and_no_values() -> None:
    result = run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert result.stdout == ""
    first, second, *lines = result.stderr.splitlines()
    assert "[info     ] [search-2] ready queues=batch" in first
    assert "[warning  ] [search-2] slice 7 failed" in second
    assert len(lines) == 6
    assert all(len(line) < 5_000 for line in lines)
    assert "local-value" not in result.stderr
    errors = [*lines[:4], lines[5]]
    assert all("ValueError: first line" in line for line in errors)
    assert all("fail" in line.partition("at=")[2] for line in errors)
    ids = [line.partition("error_id=")[2].split()[0].strip("'") for line in errors]
    assert ids[2] == "0123456789"
    assert len(set(ids)) == len(ids)
