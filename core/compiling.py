"""Declares kernels: functions of arrays and numbers that Numba compiles on their first call.

Kernels are in folders named ``kernels`` and in files named ``…_kernel.py``. Declaring them does not
load Numba, which takes a third of a second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ContextDecorator
from functools import cached_property, partial, update_wrapper
from importlib import import_module
from typing import Any, Final


class LazyType:
    """A type in Numba's notation, created when needed."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make

    def __getattr__(self, name: str) -> LazyType:
        return LazyType(lambda: getattr(self.make(), name))

    def __getitem__(self, dimensions: Any) -> LazyType:
        return LazyType(lambda: self.make()[dimensions])

    def __call__(self, *arguments: Any, **options: Any) -> LazyType:
        return LazyType(lambda: self.make()(*map(_resolve, arguments), **options))


def _resolve(argument: Any) -> Any:
    if isinstance(argument, tuple):
        return tuple(map(_resolve, argument))
    return argument.make() if isinstance(argument, LazyType) else argument


types: Final = LazyType(lambda: import_module("numba").types)  # the module ``numba.types``
boolean, float64, void = types.boolean, types.float64, types.void
int8, int16, int32, int64 = types.int8, types.int16, types.int32, types.int64
uint8, uint16, uint32, uint64 = types.uint8, types.uint16, types.uint32, types.uint64


class _LoadTimer(ContextDecorator):
    """Measures how long any thread of this process waits for code or tables to be loaded."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._in_background = threading.local()
        self._threads = 0
        self._since = 0.0
        self._seconds = 0.0

    def ignore_this_thread(self) -> None:
        """Measure nothing on this thread: it loads in advance, and no search waits for it."""
        self._in_background.yes = True

    def __enter__(self) -> None:
        if hasattr(self._in_background, "yes"):
            return
        with self._lock:
            if not self._threads:
                self._since = time.perf_counter()
            self._threads += 1

    def __exit__(self, *_error: object) -> None:
        if hasattr(self._in_background, "yes"):
            return
        with self._lock:
            self._threads -= 1
            if not self._threads:
                self._seconds += time.perf_counter() - self._since

    def seconds(self) -> float:
        with self._lock:
            current = time.perf_counter() - self._since if self._threads else 0.0
            return self._seconds + current


loading: Final = _LoadTimer()
"""Excludes the time of a block or function from that of searches: it loads or builds something."""


def load_wait_s() -> float:
    """Return the seconds that this process has waited for code or tables to be loaded or built."""
    return loading.seconds()


LOADING_S: Final = 0.3  # processor time to load Numba and a compiled kernel, approximately


class Kernel:
    """A function of arrays and numbers that is compiled, or loaded from disk, when first called.

    Only Python calls kernels; kernels call subroutines.
    """

    def __init__(self, function: Callable[..., Any], signatures: Sequence[LazyType]) -> None:
        self.py_func = function
        self._signatures = signatures
        self._compiled: Callable[..., Any] | None = None
        self._plain_s = 0.0
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        if self._compiled is None:
            self.prepare()
        return self._compiled(*arguments)  # type: ignore[misc]

    def call_on_small_input(self, *arguments: Any) -> Any:
        """Run the kernel in plain Python.

        Once such calls have taken as much processor time as loading it would, the kernel is loaded.
        """
        if self._compiled is not None or self._plain_s > LOADING_S:
            return self(*arguments)
        started = time.thread_time()  # on a busy machine, loading takes longer, too
        result = self.py_func(*arguments)
        self._plain_s += time.thread_time() - started
        return result

    def prepare(self, *, wait: bool = True) -> bool:
        """Compile or load the kernel; if another process is compiling it, wait.

        Without ``wait``, return False in that case.
        """
        if self._compiled is not None:
            return True
        with loading:
            from tilework.core.kernel_compiler import compile_once

            with _registration_lock:
                while _before_compiling:
                    _before_compiling.pop()()
            signatures = [signature.make() for signature in self._signatures]
            self._compiled = compile_once(self.py_func, signatures, wait=wait)
        return self._compiled is not None


def kernel(*signatures: LazyType) -> Callable[[Callable[..., Any]], Kernel]:
    """Decorate a function as a kernel.

    It is compiled for these signatures, cached on disk and run without the GIL.
    """
    return partial(Kernel, signatures=signatures)


def before_compiling(register: Callable[[], None]) -> Callable[[], None]:
    """Decorate a function that extends Numba; it is called before the first compilation."""
    _before_compiling.append(register)
    return register


_before_compiling: Final[list[Callable[[], None]]] = []
_registration_lock: Final = threading.Lock()


class Subroutine:
    """A function that only kernels call; Numba compiles it into each of them."""

    def __init__(self, function: Callable[..., Any], **options: bool) -> None:
        self.py_func = function
        self._options = options

    def __call__(self, *arguments: Any) -> Any:
        return self.py_func(*arguments)

    @cached_property
    def _dispatcher(self) -> Any:
        from tilework.core.kernel_compiler import SubroutineDispatcher

        return SubroutineDispatcher(self.py_func, self._options)

    @property
    def _numba_type_(self) -> Any:
        """The Numba type of this value, as Numba's typing requires."""
        return self._dispatcher._numba_type_


subroutine = Subroutine

inlined_subroutine: Callable[..., Subroutine] = partial(Subroutine, forceinline=True)
"""Decorates a subroutine that takes another subroutine as an argument.

Inlining resolves the argument within the caller; otherwise the code would contain an address of
this process, and could not be cached on disk.
"""

inner_loop_subroutine: Callable[..., Subroutine] = partial(Subroutine, forceinline=True, _nrt=False)
"""Decorates a subroutine that is inlined into the inner loop of its caller, and creates no array.

Without ``_nrt=False`` each call would count references to its array arguments.
"""
