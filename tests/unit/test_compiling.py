import errno
import os
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from numba.core.caching import IndexDataCacheFile

from tilework.core import compiling, kernel_compiler
from tilework.core.compiling import Kernel, loading
from tilework.core.search import limits
from tilework.core.solver.kernel_sets import KERNEL_SETS, compile_kernel_set
from tilework.core.solver.kernels import line_conflicts

CORE = Path(compiling.__file__).parent
BOARD = (
    np.array([2, 1, 3, 0], dtype=np.int32),
    np.array([3, 0, 1, 2], dtype=np.int32),
    2,
    True,
    np.empty(4, dtype=np.int64),
)


@pytest.fixture
def distance() -> Kernel:
    """A kernel as in a process that has not called it yet."""
    return Kernel(line_conflicts.distance.py_func, line_conflicts.distance._signatures)


def test_kernel_runs_in_plain_python_until_it_is_loaded(
    distance: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count(step=0.2)
    monkeypatch.setattr(compiling.time, "thread_time", lambda: next(ticks))
    # The time that a busy machine gives to others does not count.
    slow_ticks = count(step=100.0)
    monkeypatch.setattr(compiling.time, "perf_counter", lambda: next(slow_ticks))
    for _ in range(2):
        assert distance.call_on_small_input(*BOARD) == (2, 2)
        assert distance._compiled is None
    assert distance.call_on_small_input(*BOARD) == (2, 2)
    assert distance._compiled is not None


def test_kernel_that_another_process_compiles_is_not_waited_for(distance: Kernel) -> None:
    folder = kernel_compiler._cache_folder(Path(line_conflicts.__file__))
    folder.mkdir(exist_ok=True)
    with FileLock(folder / "distance.lock"):
        assert not distance.prepare(wait=False)
    assert distance.prepare(wait=False)


@pytest.mark.parametrize("problem", ["no folder", "full disk"])
def test_kernel_that_cannot_be_stored_is_compiled(
    distance: Kernel,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    problem: str,
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folder = tmp_path / "kernels"
    if problem == "no folder":
        folder.touch()
    else:
        monkeypatch.setattr(IndexDataCacheFile, "_save_index", fail)
    monkeypatch.setattr(kernel_compiler, "_FOLDER", folder)
    kernel_compiler._warn_uncached.cache_clear()
    assert distance(*BOARD) == (2, 2)
    assert [record.getMessage() for record in caplog.records] == [
        f"compiled kernels cannot be stored in {folder} ("
        + ("Not a directory" if problem == "no folder" else "No space left on device")
        + "), so they are compiled again each time, which takes up to a minute; set "
        "NUMBA_CACHE_DIR to a writable folder"
    ]


def test_search_clock_stops_while_compiling(
    distance: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0

    def compile_slowly(*_arguments: object, wait: bool) -> object:
        nonlocal now
        now += 7.0
        # Meanwhile other threads see the same time.
        assert limits.search_clock() == started
        return distance.py_func

    # An earlier test may have loaded something in advance on this thread.
    monkeypatch.setattr(compiling.loading, "_in_background", threading.local())
    monkeypatch.setattr(compiling.time, "perf_counter", lambda: now)
    monkeypatch.setattr(kernel_compiler, "compile_once", compile_slowly)
    started, compile_wait = limits.search_clock(), compiling.load_wait_s()
    assert distance.prepare()
    assert limits.search_clock() == started
    assert compiling.load_wait_s() == compile_wait + 7.0
    now += 1.0
    assert limits.search_clock() == started + 1.0


def test_code_that_is_loaded_in_advance_does_not_stop_the_clock_of_searches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(compiling.time, "perf_counter", lambda: now)
    started = limits.search_clock()

    def load_in_advance() -> None:
        nonlocal now
        loading.ignore_this_thread()
        with loading:
            now += 7.0

    thread = threading.Thread(target=load_in_advance)
    thread.start()
    thread.join()
    assert limits.search_clock() == started + 7.0


def list_kernel_modules() -> Iterator[str]:
    for path in [*CORE.rglob("kernels/**/*.py"), *CORE.rglob("*_kernel.py")]:
        if "@kernel(" in path.read_text():
            yield ".".join(path.relative_to(CORE).with_suffix("").parts)


def test_every_kernel_belongs_to_one_set(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [name for kernel_set in KERNEL_SETS for name in kernel_set.modules]
    assert sorted(names) == sorted(list_kernel_modules())
    # Kernels that other processes compile are awaited at the end.
    calls: list[tuple[Kernel, bool]] = []

    def prepare(kernel: Kernel, *, wait: bool = True) -> bool:
        calls.append((kernel, wait))
        return wait

    monkeypatch.setattr(Kernel, "prepare", prepare)
    compile_kernel_set(KERNEL_SETS[0])
    kernels = list(KERNEL_SETS[0].kernels())
    assert calls == [(kernel, False) for kernel in kernels] + [(kernel, True) for kernel in kernels]
