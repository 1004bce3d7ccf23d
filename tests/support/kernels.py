"""Kernels for another copy of the sources, without compiling the same again."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from numba.core import config

from tilework.core import compiling

ROOT = Path(__file__).parents[2]


def take_compiled_kernels(copy: Path) -> None:
    """Give a copy of the project's rooms what Numba has compiled for this one.

    Numba keeps it under a hash of the source's folder. Where it is not found so, it is compiled,
    and nothing but a minute is lost.

    Parameters
    ----------
    copy : Path
        The folder that holds ``tilework``, unchanged.
    """
    kept = Path(config.CACHE_DIR)
    for folder in {path.parent for path in compiling.kernel_sources()}:
        compiled = kept / _name(folder)
        if compiled.is_dir():
            place = _name(copy / folder.relative_to(ROOT))
            shutil.copytree(
                compiled, copy / "tilework" / "core" / "__pycache__" / kept.name / place
            )


def _name(folder: Path) -> str:
    return f"{folder.name}_{hashlib.sha1(str(folder).encode()).hexdigest()}"
