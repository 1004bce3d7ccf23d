"""How kernels are compiled, and under which name the result is kept on disk.

Numba's cache of a function looks at that function's own file, yet a kernel has the code of others
compiled into it and constants of other files baked in. So the folder of the cache is named after
the sources of all kernels together: a change to any of them begins a new one. Kernels live in
folders named ``kernels`` and in files named ``…_kernel.py``.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numba
from numba.core import config

_HERE = Path(__file__).parent

# Numba fills its settings in as it loads, so a type checker does not see them.
_SETTINGS = vars(config)


def kernel_sources() -> list[Path]:
    """Return the files of all kernels, and this one, in the same order everywhere."""
    kernels = _HERE.rglob("kernels/**/*.py"), _HERE.rglob("*_kernel.py")
    return sorted({Path(__file__), *kernels[0], *kernels[1]})


def _digest() -> str:
    digest = hashlib.sha256()
    for source in kernel_sources():
        digest.update(source.relative_to(_HERE).as_posix().encode() + source.read_bytes())
    return digest.hexdigest()[:16]


def _folder() -> Path:
    if chosen := _SETTINGS["CACHE_DIR"]:
        root = Path(chosen)
    elif os.access(_HERE, os.W_OK):
        root = _HERE / "__pycache__"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tilework"
    return root / f"kernels-{_digest()}"


_SETTINGS["CACHE_DIR"] = str(_folder())

kernel: Callable[..., Any] = partial(numba.njit, cache=True, nogil=True)
"""Decorates functions called from Python: compiled, cached on disk, run without the GIL."""

part: Callable[..., Any] = partial(numba.njit, nogil=True)
"""Decorates functions called only from kernels: compiled into each of them."""
