"""The fuzz tests of tests/integration with many more inputs.

``FUZZ_INPUTS=1000000 FUZZ_CASES=20000 pytest tests/exhaustive/fuzz`` sets the numbers.
"""

import os
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from tests.integration.fuzz.parser_inputs import read_inputs
from tests.integration.fuzz.target import Target, list_operations, send_cases

INPUTS: Final = int(os.environ.get("FUZZ_INPUTS", "100000"))
CASES: Final = int(os.environ.get("FUZZ_CASES", "6000"))
MAX_BYTES: Final = 50e6
STATUS: Final = Path("/proc/self/status")
CLEAR_REFS: Final = Path("/proc/self/clear_refs")


@pytest.mark.timeout(3 * 3600)
def test_many_inputs_need_little_memory() -> None:
    CLEAR_REFS.write_text("5")  # reset the high-water mark
    initial_bytes = read_peak_memory()
    counts = read_inputs(INPUTS)
    assert counts["boards"] + counts["rejected"] > INPUTS / 2
    assert read_peak_memory() - initial_bytes <= MAX_BYTES


@pytest.mark.timeout(3 * 3600)
def test_many_responses_match_their_description(target: Target, description: Any) -> None:
    total = 0
    for number in count(1):
        for operation, mode in list_operations(description):
            total += send_cases(target, operation, mode, number, limit=100)
        if total >= CASES:
            break


def read_peak_memory() -> int:
    """Return the peak memory of this process in bytes."""
    [line] = [line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1_024
