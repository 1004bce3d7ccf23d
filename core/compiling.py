"""How kernels are compiled, and under which name the result is kept on disk.

Numba's cache of a function looks at that function's own file, yet a kernel has the code of others
compiled into it and constants of other files baked in. So the folder of the cache is named after
the sources of all kernels together: a change to any of them begins a new one. Kernels live in
folders named ``kernels`` and in files named ``…_kernel.py``.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numba
from numba.core import config

from tilework.core.errors import OptionError
from tilework.core.folders import user_cache

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
        root = user_cache()
    return root / f"kernels-{_digest()}"


def _writable(folder: Path) -> Path:
    """Return a folder that files can be made in; Numba's own words for another are a traceback."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise OptionError(
            "kernels-folder",
            "compiled kernels cannot be kept in the folder {folder!r} ({reason}); name one that "
            "you may write in, with {variable}",
            folder=folder,
            reason=error.strerror or type(error).__name__,
            variable="NUMBA_CACHE_DIR",
        ) from None


_SETTINGS["CACHE_DIR"] = str(_writable(_folder()))

kernel: Callable[..., Any] = partial(numba.njit, cache=True, nogil=True)
"""Decorates functions called from Python: compiled, cached on disk, run without the GIL."""

part: Callable[..., Any] = partial(numba.njit, nogil=True)
"""Decorates what only kernels call: compiled into each of them."""

inlined_part: Callable[..., Any] = partial(numba.njit, nogil=True, forceinline=True)
"""Decorates a part that takes another part as an argument.

The argument is an address of this process unless it is resolved within the caller, and code with
an address in it cannot be kept on disk.
"""

woven_part: Callable[..., Any] = partial(numba.njit, nogil=True, forceinline=True, _nrt=False)
"""Decorates a part that is compiled into the inner loop of its caller, and makes no array.

Without ``_nrt=False`` each call counts the references of every array it is given.
"""
