"""The web as one program or as several that share a port, and what several must have in common."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import structlog

from tilework.core.cli.system.child import Program
from tilework.core.cli.system.folder_lock import writing_in
from tilework.core.settings import Settings

MOST: Final = 64
FILE_BYTES: Final = 1 << 20
"""What a process may need to count requests of every route, in each of two files."""

_CORES_OF_ONE: Final = 4
_MOST_UNASKED: Final = 4

_FOLDER: Final = "metrics"
_KINDS: Final = ("counter", "histogram")

_RATES_BY_BROKER: Final = {
    "redis": "redis",
    "rediss": "rediss",
    "redis+socket": "redis+unix",
}

log = structlog.get_logger()


def web_count(wanted: int | None, cores: int) -> int:
    """Return how many web processes to run, of which some number may be wanted.

    Only Linux spreads connections over all sockets that listen on a port.
    """
    if sys.platform != "linux":
        if wanted is not None and wanted > 1:
            log.warning("only Linux shares a port; there is one web process", wanted=wanted)
        return 1
    return wanted or max(1, min(cores // _CORES_OF_ONE, _MOST_UNASKED))


def web_programs(
    count: int, command: Sequence[str], environment: Mapping[str, str], settings: Settings
) -> list[Program]:
    """Return the web's programs: ``web``, or ``web-1``, ``web-2`` … with all that they share.

    Parameters
    ----------
    count : int
    command : sequence of str
        Serves the web on its port; takes ``--name``.
    environment : mapping
        Names the broker, where rates are counted if the settings name no other place.
    settings : Settings
        Name the data folder. What was counted there for Prometheus is deleted.

    Raises
    ------
    OptionError
        If nothing can be written in the data folder.
    """
    if count == 1:
        return [Program("web", command, environment)]
    names = [f"web-{number}" for number in range(1, count + 1)]
    folder = settings.data_dir.resolve() / _FOLDER
    _make_counts(folder, names)
    shared = {
        **environment,
        "PROMETHEUS_MULTIPROC_DIR": str(folder),
        "TILEWORK_RATE_STORAGE_URL": _rates(settings, environment["TILEWORK_BROKER_URL"]),
    }
    return [Program(name, [*command, "--name", name], shared) for name in names]


def _make_counts(folder: Path, names: Sequence[str]) -> None:
    """Make the files in which ``prometheus_client`` counts, as large as they will ever be.

    It maps them into memory: a process that writes where the disk has no room left is killed.
    """
    with writing_in(folder.parent):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in names:
            for kind in _KINDS:
                (folder / f"{kind}_{name}.db").write_bytes(bytes(FILE_BYTES))


def _rates(settings: Settings, broker_url: str) -> str:
    """Return where all processes count the requests of a client."""
    given = settings.rate_storage_url
    if not given.startswith("memory:"):
        return given
    scheme, _, rest = broker_url.partition("://")
    if scheme not in _RATES_BY_BROKER:
        log.warning("each web process counts its clients' requests by itself", broker=scheme)
        return given
    if scheme == "redis+socket":
        rest = rest.partition("?")[0]  # Celery's options, under names of its own
    return f"{_RATES_BY_BROKER[scheme]}://{rest}"
