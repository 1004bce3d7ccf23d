"""The pattern databases that benchmarks search with, made before anything is timed."""

from __future__ import annotations

import os
from pathlib import Path

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.files import default_folder
from tilework.core.solver.pdb.patterns import partitions_for
from tilework.core.solver.pdb.store import open_or_build


def databases_folder() -> Path:
    """Return the folder of ``TILEWORK_DATABASES_DIR``, or the user's own."""
    named = os.environ.get("TILEWORK_DATABASES_DIR")
    return Path(named) if named else default_folder()


def ready_pdb_folder(size: Size) -> Path:
    """Return the folder after making sure that it holds the best databases of a size."""
    folder = databases_folder()
    for partition in partitions_for(size)[:1]:
        open_or_build(partition, folder)
    return folder
