"""Compiles kernels, and caches them on disk.

The compiled kernels of a file are stored in the user's cache folder, under the name of its module
and a digest of its source and of the modules it imports, whose code and constants are compiled into
it. So another checkout or a new release compiles only what has changed.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, Self

import numba
from filelock import FileLock, Timeout
from numba.core import config, types
from numba.core.caching import CacheImpl, FunctionCache
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys

from tilework.core.machine import user_cache

_HERE: Final = Path(__file__).parent
_IMPORT: Final = re.compile(r"^from tilework\.core\.([\w.]+) import", re.MULTILINE)


@cache
def _imported(source: Path) -> frozenset[Path]:
    files = {source}
    for name in _IMPORT.findall(source.read_text(encoding="utf-8")):
        files |= _imported(_HERE.joinpath(*name.split(".")).with_suffix(".py"))
    return frozenset(files)


@cache
def _digest(source: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted({Path(__file__), *_imported(source)}):
        digest.update(file.relative_to(_HERE).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()[:16]


# Numba defines its settings dynamically, so a type checker does not see them.
_FOLDER: Final = Path(vars(config)["CACHE_DIR"] or user_cache()) / "kernels"

logger = logging.getLogger(__name__)


@cache
def _warn_uncached(reason: str) -> None:
    logger.warning(
        "compiled kernels cannot be stored in %s (%s), so they are compiled again each time, which "
        "takes up to a minute; set NUMBA_CACHE_DIR to a writable folder",
        _FOLDER,
        reason,
    )


def _cache_folder(source: Path) -> Path:
    module = ".".join(source.relative_to(_HERE).with_suffix("").parts)
    return _FOLDER / f"{module}-{_digest(source)}"


class _KernelLocator:
    """Tells Numba where kernels are cached."""

    def __init__(self, source: Path, line: int) -> None:
        self._path = _cache_folder(source)
        self._line = line
        self._py_file = str(source)  # for Numba's warnings

    @classmethod
    def from_function(cls, function: Any, file: str) -> Self | None:
        source = Path(file)
        return cls(source, function.__code__.co_firstlineno) if _HERE in source.parents else None

    def ensure_cache_path(self) -> None:
        self._path.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._path.name

    def get_disambiguator(self) -> str:
        return str(self._line)


CacheImpl._locator_classes.insert(0, _KernelLocator)


class _KernelCache(FunctionCache):
    """Loads a kernel without setting up the compiler, which would take longer."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        try:
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except OSError:  # the folder is a file, or belongs to another user
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:  # read-only, or full
            _warn_uncached(error.strerror or type(error).__name__)


# The C wrapper would be a second, unused copy. Numba's type stub lacks the option.
_compiled: Callable[..., Any] = partial(numba.njit, nogil=True, no_cfunc_wrapper=True)


def compile_once(
    function: Callable[..., Any], signatures: Sequence[Any], *, wait: bool
) -> Callable[..., Any] | None:
    """Compile or load a kernel; None if another process compiles it and ``wait`` is False."""
    if vars(config)["DISABLE_JIT"]:
        return function
    compiled = _compiled(function)
    compiled._cache = _KernelCache(function)  # type: ignore[no-untyped-call]
    folder = _cache_folder(Path(function.__code__.co_filename))
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / f"{function.__name__}.lock", blocking=wait)
            stack.enter_context(lock)
        except Timeout:
            return None
        except OSError:
            pass  # without a folder for the lock, each process compiles
        for signature in signatures:
            compiled.compile(signature)
    compiled.disable_compile()
    ready: Callable[..., Any] = compiled
    return ready


class SubroutineDispatcher(CPUDispatcher):
    """Compiles a subroutine once for each combination of argument types."""

    def __init__(self, function: Callable[..., Any], options: Mapping[str, bool]) -> None:
        # Subroutines are not called from Python or C: each wrapper would be an unused copy.
        wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(
            function, targetoptions={"nopython": True, "nogil": True, **wrappers, **options}
        )

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the types of a call; without `unliteral` each literal would be a new type."""
        return super().get_call_template(tuple(map(types.unliteral, args)), kws)
