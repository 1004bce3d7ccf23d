"""A unit of search work, a part of a threshold's tree, and the outcome of searching it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from tilework.core.puzzle.moves import Moves

_SOLVER = Path(__file__).parent
_FOLDERS = ("heuristics", "kernels", "optimal", "pdb", "slides")


@lru_cache(maxsize=1)
def engine_version() -> str:
    """Return the version of the package and a digest of the sources of the search."""
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for source in sorted((_SOLVER / folder).rglob("*.py")):
            digest.update(source.relative_to(_SOLVER).as_posix().encode() + source.read_bytes())
    return f"tilework {version('tilework')}, sources {digest.hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """A part of a threshold's tree that has not been searched yet."""

    cursor: bytes
    share: float  # of the threshold's tree, 0 to 1


@dataclass(frozen=True, slots=True)
class SliceOutcome:
    """The outcome of searching a slice."""

    nodes: int  # number of nodes generated
    # Minimum f above the threshold; None if no node was pruned. Once a threshold is exhausted, the
    # minimum over all its slices is the next lower bound.
    next_threshold: int | None
    moves: Moves | None  # a path to the goal of at most `threshold` moves, which ends the slice
    # Remaining work if the budget ran out or the slice was cancelled
    remaining: tuple[WorkUnit, ...]
    engine: str  # name of the engine; see `tilework.core.solver.optimal.engines`
