"""A part of a threshold's tree, and the outcome of searching one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from tilework.core.puzzle.moves import Moves

_SOLVER = Path(__file__).parent


_ROOMS = ("heuristics", "kernels", "optimal", "pdb", "slides")


@lru_cache(maxsize=1)
def engine_version() -> str:
    """Return the version of the package, and a digest of all sources that a search depends on."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        for source in sorted((_SOLVER / room).rglob("*.py")):
            digest.update(source.relative_to(_SOLVER).as_posix().encode() + source.read_bytes())
    return f"tilework {version('tilework')}, sources {digest.hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """A cursor as it is stored, and the part of the threshold's tree under it, 0..1."""

    cursor: bytes
    share: float


@dataclass(frozen=True, slots=True)
class SliceOutcome:
    """What a slice of search proved."""

    nodes: int  # nodes generated
    # Least f above the threshold that was cut off; None where nothing was. Once nothing of a
    # threshold remains, the least over all of its slices is the next lower bound.
    next_threshold: int | None
    moves: Moves | None  # a path to the goal of at most `threshold` moves; it ends the slice
    # What is still to be searched, where the budget ran out or the slice was cancelled; empty after
    # a path was found
    remaining: tuple[WorkUnit, ...]
    engine: str  # which engine searched; see `tilework.core.solver.optimal.engines`
