"""``make dev``: ``tilework up`` with debug pages, restarted when the sources change.

A change below ``web`` restarts the web server; any other change also restarts the workers. The
server itself reloads templates and static files. The broker and the database keep running; new
migrations run at the next start.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import structlog
from watchfiles import Change, watch

from tilework.core.cli.system.processes import lock_folder, reserve_port
from tilework.core.cli.system.reaper import GRACE_S
from tilework.core.cli.system.supervisor import Supervisor
from tilework.core.cli.system.up import System
from tilework.core.logs import configure_logs
from tilework.core.settings import get_settings
from tools.devtools.debug_server import HOST

SOURCES: Final = Path(__file__).parents[2]
PACKAGES: Final = ("core", "web", "worker", "tilework")
_SUFFIXES: Final = (".py", ".mo")

logging.getLogger("watchfiles").setLevel(logging.WARNING)

log = structlog.get_logger()


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="make dev", description="Run the system and restart it when sources change."
    )
    parser.add_argument("--port", type=int, help="default: 8000 or the next free one")
    parser.add_argument("--workers", type=int, default=1, help="search workers")
    parser.add_argument("--sources", type=Path, default=SOURCES, help="the folder to watch")
    arguments = parser.parse_args()
    settings = get_settings()
    configure_logs("dev")
    lock = lock_folder(settings.data_dir.resolve(), timeout_s=GRACE_S + 1.0)
    port, reserved = reserve_port(HOST, arguments.port)
    system = System(settings, HOST, port, arguments.workers, debug_command)
    with reserved, Supervisor(held_fds=[lock]) as supervisor:
        system.run(supervisor, _make_follower(system, supervisor, arguments.sources))


def debug_command(_host: str, port: int) -> list[str]:
    """Return the command of the debug server, which listens on `HOST` only."""
    return [sys.executable, "-m", "tools.devtools.debug_server", str(port)]


def _make_follower(system: System, supervisor: Supervisor, sources: Path) -> Callable[[], None]:
    changes = _watch_sources(sources)

    def follow() -> None:
        paths = next(changes)
        if paths:
            log.info("sources changed; restarting", files=", ".join(sorted(paths)))
            only_web = all(path.startswith("web/") for path in paths)
            supervisor.restart(system.web if only_web else [*system.web, *system.workers])

    return follow


def _watch_sources(sources: Path) -> Iterator[set[str]]:
    """Yield, without waiting, the paths of the sources that have changed since the last check."""
    sources = sources.resolve()
    for changes in watch(
        *(sources / package for package in PACKAGES),
        watch_filter=_is_source,
        debounce=200,
        step=20,
        rust_timeout=1,
        yield_on_timeout=True,
    ):
        # tilework/ contains links to the same packages.
        yield {Path(path).resolve().relative_to(sources).as_posix() for _, path in changes}


def _is_source(_change: Change, path: str) -> bool:
    return path.endswith(_SUFFIXES)


if __name__ == "__main__":
    main()
