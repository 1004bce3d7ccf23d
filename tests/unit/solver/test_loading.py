"""Whatever a search loads or builds takes no search time."""

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tilework.core import compiling
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.search.limits import search_clock
from tilework.core.solver.large import trials
from tilework.core.solver.optimal import engines, move_pruning
from tilework.core.solver.pdb import files
from tilework.core.solver.pdb.files import database_path
from tilework.core.solver.slides import find
from tilework.core.solver.strategy import partitions_for_goal
from tilework.core.solver.target import Heuristic

SMALL, MEDIUM, LARGE = (blank_last(Size(*size)) for size in ((3, 3), (4, 4), (5, 5)))
LINE = blank_last(Size(5, 1))
PARTITION = partitions_for_goal(MEDIUM)[0]


class LoadedError(Exception):
    pass


def open_file(folder: Path) -> None:
    database_path(PARTITION, folder).write_bytes(b"")
    files.open_cached(PARTITION, folder)


def open_and_check(folder: Path) -> None:
    path = folder / "database"
    path.write_bytes(b"entries")
    with path.open("rb") as file:
        entries = np.frombuffer(b"entries", dtype=np.uint8)
        arguments = (path, file.fileno(), entries, 0, bool)
        databases = files.MappedDatabases(*arguments, discard=bool)
        databases._check()


@pytest.mark.parametrize(
    ("owner", "name", "load"),
    [
        (move_pruning, "pruning_rules", lambda folder: engines.select_engine(SMALL, folder)),
        (
            engines.AdditivePatterns,
            "from_small_board",
            lambda folder: engines.select_engine(SMALL, folder),
        ),
        (
            engines,
            "LineEngine",
            lambda folder: engines.select_engine(LINE, folder, Heuristic.LINEAR_CONFLICT),
        ),
        (files, "ensure_built", lambda folder: files.open_or_build(PARTITION, folder)),
        (files, "map_databases", open_file),
        (files.zlib, "crc32", open_and_check),
        (trials, "import_module", lambda folder: trials.load_searches(LARGE, folder)),
        (find.SlidePatterns, "build", lambda folder: find.open_slide_tables(SMALL, folder)),
    ],
)
def test_search_clock_stops(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    owner: object,
    name: str,
    load: Callable[[Path], object],
) -> None:
    now = 0.0

    def load_slowly(*_arguments: object, **_options: object) -> object:
        nonlocal now
        now += 100.0
        raise LoadedError

    # An earlier test may have loaded it, or something in advance on this thread.
    for cached in (engines._make_small_engine, engines._make_line_engine, find._build_in_memory):
        cached.cache_clear()
    monkeypatch.setattr(compiling.loading, "_in_background", threading.local())
    monkeypatch.setattr(compiling.time, "perf_counter", lambda: now)
    monkeypatch.setattr(owner, name, load_slowly)
    started = search_clock()
    with pytest.raises(LoadedError):
        load(tmp_path)
    assert now == 100.0
    assert search_clock() == started
