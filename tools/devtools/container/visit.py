"""A visitor of a running container: waits until it is ready, and has a board solved.

``python visit.py PORT`` prints the job at its end.
"""

from __future__ import annotations

import http.client
import json
import sys
import time
from typing import Any, Final

BOARD: Final = "8 6 7 2 5 4 3 0 1"
"""One of the two 3×3 boards that take 31 moves, the most there are."""

_READY_S: Final = 400.0
"""A first start, and the first board, have kernels compiled."""

_SOLVED_S: Final = 400.0


def visit(port: int) -> dict[str, Any]:
    """Return the job of a 3×3 board when it has ended."""
    _await(lambda: _ask(port, "GET", "/readyz")[0] == 200, _READY_S)
    status, job = _ask(port, "POST", "/api/v1/jobs", {"board": BOARD})
    if status not in (200, 202):
        raise SystemExit(f"the post was answered {status}: {job}")
    found: dict[str, Any] = job

    def has_ended() -> bool:
        found.update(_ask(port, "GET", f"/api/v1/jobs/{job['id']}?wait=5")[1])
        return found["finished_at"] is not None

    _await(has_ended, _SOLVED_S)
    return found


def _await(condition: Any, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"nothing came in {seconds:g} s")
        time.sleep(0.2)


def _ask(port: int, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        words = None if body is None else json.dumps(body)
        connection.request(method, path, words, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, json.load(response)
    except (OSError, ValueError, http.client.HTTPException):
        return 0, None
    finally:
        connection.close()


if __name__ == "__main__":
    print(json.dumps(visit(int(sys.argv[1]))))
