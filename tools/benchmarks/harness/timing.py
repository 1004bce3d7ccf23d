"""Timing of calls and programs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from typing import NamedTuple, TypeVar

TILEWORK = os.environ.get("BENCHMARKED_COMMAND", str(Path(sys.executable).with_name("tilework")))
"""The command of this environment, or that of another checkout for comparison."""

T = TypeVar("T")


def time_call(call: Callable[[], T]) -> tuple[T, float]:
    """Return the result of a call and its duration in seconds."""
    started = time.perf_counter()
    result = call()
    return result, time.perf_counter() - started


def measure_seconds(call: Callable[[], object]) -> float:
    return time_call(call)[1]


def measure_ms(call: Callable[[], object]) -> float:
    return 1_000 * time_call(call)[1]


def measure_median(runs: int, call: Callable[[], object]) -> float:
    return median(measure_seconds(call) for _ in range(runs))


class ProgramResult(NamedTuple):
    """The result of a successful program; `bytes` is its peak resident memory."""

    output: str
    seconds: float
    processor_s: float
    bytes: int


def run_program(
    command: Sequence[str], environment: Mapping[str, str] | None = None, input_text: str = ""
) -> ProgramResult:
    """Run a program with text as its input; exit if it fails."""
    # Use a file, because a full pipe would block both sides.
    with TemporaryFile("w+") as input_file:
        input_file.write(input_text)
        input_file.seek(0)
        started = time.perf_counter()
        with subprocess.Popen(
            command, env=environment, stdin=input_file, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - started
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}: {output[-200:]}")
    return ProgramResult(output, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
