"""Timing of calls and programs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
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


class ProgramResult(NamedTuple):
    """The result of a program; `bytes` is its peak resident memory."""

    output: str
    seconds: float
    processor_s: float
    bytes: int
    exit_code: int


def run_program(
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    input_text: str = "",
    limit_s: int | None = None,
) -> ProgramResult:
    """Run a program with text as its input, for at most some processor seconds; exit if it fails.

    A program that has used its seconds is killed by the system, and has a negative exit code.
    """
    if limit_s is not None:
        command = ["prlimit", f"--cpu={limit_s}", *command]
    # Use files, because a full pipe would block both sides.
    with TemporaryFile("w+") as input_file, TemporaryFile("w+") as output_file:
        input_file.write(input_text)
        input_file.seek(0)
        started = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdin=input_file, stdout=output_file)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output_file.seek(0)
        output = output_file.read()
    if process.returncode > 0 or (process.returncode < 0 and limit_s is None):
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}: {output[-200:]}")
    processor_s = usage.ru_utime + usage.ru_stime
    return ProgramResult(output, seconds, processor_s, usage.ru_maxrss * 1024, process.returncode)
