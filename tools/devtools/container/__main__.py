"""Build the container image, start it, have a board solved, and stop it.

Usage: python -m tools.devtools.container

With a container engine where one answers; else every step of the Dockerfile runs in a clean root,
which takes Linux and root.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from tools.devtools.container.clean_root import lacks
from tools.devtools.container.running import Container, engined, has_engine, rooted

SOURCE: Final = Path(__file__).parents[3]


def main() -> int:
    """Return 1 where anything was not as it should be."""
    with tempfile.TemporaryDirectory(prefix="tilework-image-") as folder:
        if has_engine():
            return _try(engined(SOURCE))
        if lacks():
            print(f"neither a container engine nor a clean root: {lacks()}", file=sys.stderr)
            return 2
        return _try(rooted(SOURCE, Path(folder)))


def _try(starting: AbstractContextManager[Container]) -> int:
    with starting as container:
        job = container.visit()
        healthy = container.is_healthy()
        code = container.stop()
    print(f"the board is {job['state']}; healthy: {healthy}; exit code after SIGTERM: {code}")
    return 0 if (job["state"], healthy, code) == ("optimal", True, 0) else 1


if __name__ == "__main__":
    sys.exit(main())
