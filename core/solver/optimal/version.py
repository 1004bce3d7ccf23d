"""The version of the search engine, whose counts may differ with every change of its rules."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

_SOLVER = Path(__file__).parents[1]
_ROOMS = ("heuristics", "kernels", "optimal", "pdb", "slides")


@lru_cache(maxsize=1)
def engine_version() -> str:
    """Return the version of the package, and a digest of all sources that a search depends on."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        for source in sorted((_SOLVER / room).rglob("*.py")):
            digest.update(source.relative_to(_SOLVER).as_posix().encode() + source.read_bytes())
    return f"tilework {version('tilework')}, sources {digest.hexdigest()[:12]}"
