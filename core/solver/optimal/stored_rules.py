"""Pruning rules in files next to the pattern databases: building long ones takes a second."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import numpy as np

from tilework.core.compiling import loading
from tilework.core.puzzle.board import Size
from tilework.core.solver.optimal.move_pruning import PruningRules, pruning_rules
from tilework.core.solver.pdb.files import default_folder, write_atomically

_VERSION = 1
_DIGEST_BYTES = 16
_MIN_LENGTH = 14  # shorter rules are built in less time than a file takes to find and read


@lru_cache(maxsize=16)
@loading
def load_rules(size: Size, length: int, folder: Path | None = None) -> PruningRules:
    """Load the rules for boards of one size, or build them and store them if they are long."""
    if length < _MIN_LENGTH:
        return pruning_rules(size, length)
    path = (folder or default_folder()) / f"{size.width}x{size.height}-r{length}-{_VERSION}.rules"
    if (rules := _load(path, length)) is None:
        rules = pruning_rules(size, length)
        # Without a file, the next process builds them again.
        with suppress(OSError):
            _store(rules, path)
    return rules


def _load(path: Path, length: int) -> PruningRules | None:
    """Load rules; return None if the file is missing or does not match the hash at its start."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, arrays = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    if _digest(arrays) != digest:
        return None
    with np.load(BytesIO(arrays)) as stored:
        return PruningRules(length, stored["roots"], stored["transitions"])


def _store(rules: PruningRules, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = BytesIO()
    np.savez(file, roots=rules.roots, transitions=rules.transitions)
    arrays = file.getvalue()
    write_atomically(path, _digest(arrays) + arrays)


def _digest(arrays: bytes) -> bytes:
    return hashlib.blake2b(arrays, digest_size=_DIGEST_BYTES).digest()
