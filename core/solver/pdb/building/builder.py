"""The one process of a host that builds pattern databases in advance."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from filelock import lock_descriptor

from tilework.core.solver.pdb.files import Stored, discard_partial_files, path_of
from tilework.core.solver.pdb.progress import BuildingNote, forget_building
from tilework.core.solver.pdb.store import make, open_if_there

logger = logging.getLogger(__name__)

# Called with the share of databases that is built, from 0 to 1
ShareListener = Callable[[Stored, float], object]


def become_builder(folder: Path, *, patient: bool) -> int | None:
    """Claim a folder for this process and those that inherit the descriptor."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / "building.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        claimed = lock_descriptor(descriptor, blocking=patient)
    except BaseException:
        os.close(descriptor)
        raise
    if not claimed:
        os.close(descriptor)
        return None
    return descriptor


def build_missing(
    wanted: Iterable[Stored], folder: Path, tell: ShareListener = lambda *_: None
) -> list[Stored]:
    """Build what is missing or damaged, one file after the other."""
    failed = []
    for stored in wanted:
        if open_if_there(stored, folder) is not None:
            continue
        try:
            with BuildingNote(folder, stored.title) as note:
                make(stored, folder, _to_both(note, stored, tell))
        except (OSError, MemoryError) as error:
            logger.warning("%s could not be built: %s", path_of(stored, folder).name, error)
            failed.append(stored)
    return failed


def abandon(folder: Path) -> None:
    """Remove unfinished files from a folder: for a builder that is about to be stopped."""
    forget_building(folder)
    discard_partial_files()


def _to_both(note: BuildingNote, stored: Stored, tell: ShareListener) -> Callable[[float], None]:
    def both(share: float) -> None:
        note(share)
        tell(stored, share)

    return both
