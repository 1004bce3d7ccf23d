"""How kernels are compiled, and where the result is kept on disk.

Kernels live in folders named ``kernels`` and in files named ``…_kernel.py``. What Numba compiles of
such a file is kept in the user's cache folder, under the name of its module and a digest of its
source and of the kernels it imports, whose code and constants are compiled into it. So another
checkout or a new release compiles only what has changed.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, Self

import numba
from numba.core import config
from numba.core.caching import CacheImpl

from tilework.core.errors import OptionError
from tilework.core.folders import user_cache

_HERE: Final = Path(__file__).parent
_IMPORT: Final = re.compile(r"^from tilework\.core\.([\w.]+) import", re.MULTILINE)


@cache
def _imported(source: Path) -> frozenset[Path]:
    """Return a kernel's file, those of the kernels that it imports, and theirs."""
    found = {source}
    for name in _IMPORT.findall(source.read_text(encoding="utf-8")):
        other = _HERE.joinpath(*name.split(".")).with_suffix(".py")
        if other != Path(__file__):
            found |= _imported(other)
    return frozenset(found)


@cache
def _digest(source: Path) -> str:
    digest = hashlib.sha256()
    for one in sorted({Path(__file__), *_imported(source)}):
        digest.update(one.relative_to(_HERE).as_posix().encode() + one.read_bytes())
    return digest.hexdigest()[:16]


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


# Numba fills its settings in as it loads, so a type checker does not see them.
_FOLDER: Final = _writable(Path(vars(config)["CACHE_DIR"] or user_cache()) / "kernels")


class _KernelLocator:
    """Tells Numba where a kernel is kept; of other functions it knows nothing."""

    def __init__(self, source: Path, line: int) -> None:
        module = ".".join(source.relative_to(_HERE).with_suffix("").parts)
        self._path = _FOLDER / f"{module}-{_digest(source)}"
        self._line = line
        self._py_file = str(source)  # what Numba names where it warns

    @classmethod
    def from_function(cls, function: Any, file: str) -> Self | None:
        source = Path(file)
        return cls(source, function.__code__.co_firstlineno) if _HERE in source.parents else None

    def ensure_cache_path(self) -> None:
        self._path.mkdir(exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._path.name

    def get_disambiguator(self) -> str:
        return str(self._line)


CacheImpl._locator_classes.insert(0, _KernelLocator)

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
