"""The same as in each run of the tests, but very often.

``FUZZ_INPUTS=1000000 FUZZ_CASES=20000 pytest tests/exhaustive/fuzz`` tries so many.
"""

import os
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from tests.integration.fuzz.parser_inputs import read_inputs
from tests.integration.fuzz.target import Target, kinds, send_cases

INPUTS: Final = int(os.environ.get("FUZZ_INPUTS", "100000"))
CASES: Final = int(os.environ.get("FUZZ_CASES", "6000"))
MOST_BYTES: Final = 50e6
STATUS: Final = Path("/proc/self/status")
FORGET: Final = Path("/proc/self/clear_refs")


@pytest.mark.timeout(3 * 3600)
def test_many_inputs_are_read_in_little_memory() -> None:
    FORGET.write_text("5")  # what others needed before
    begun = high_water()
    told = read_inputs(INPUTS)
    assert told["boards"] + told["refused"] > INPUTS / 2
    assert high_water() - begun <= MOST_BYTES


@pytest.mark.timeout(3 * 3600)
def test_many_answers_are_as_described(target: Target, description: Any) -> None:
    total = 0
    for number in count(1):
        for operation, mode in kinds(description):
            total += send_cases(target, operation, mode, number, most=100)
        if total >= CASES:
            break


def high_water() -> int:
    """Return the most bytes of memory that this process has had."""
    [line] = [line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1_024
