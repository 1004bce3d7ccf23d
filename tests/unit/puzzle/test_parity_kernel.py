import os
import subprocess
import sys

import numpy as np
import pytest

from tests.support import naive
from tilework.core.puzzle import parity_kernel as parity


@pytest.mark.parametrize("count", [1, 2, 3, 63, 64, 65, 300])
@pytest.mark.parametrize("groups", [1, 7, 64])
def test_parity_is_that_of_the_inversions(count, groups):
    random = np.random.default_rng(count)
    for _ in range(4):
        cells = random.permutation(count).astype(np.int32)
        group = -(-count // groups)
        odd = naive.inversions(cells.tolist()) % 2
        assert parity.permutation_is_odd(cells, group) == odd


def test_deep_parting_agrees_with_counting_cycles():
    """Large enough for parts of parts, which are beyond 64 × 2^14 cells."""
    count = 64 * parity.CHASED + 12_345
    cells = np.random.default_rng(8).permutation(count).astype(np.int32)
    seen = bytearray(count)
    following = cells.tolist()
    cycles = 0
    for first in range(count):
        cycles += not seen[first]
        cell = first
        while not seen[cell]:
            seen[cell] = 1
            cell = following[cell]
    assert parity.permutation_is_odd(cells, parity.GROUP) == (count - cycles) % 2
    assert parity.permutation_is_odd(cells, count // 5) == (count - cycles) % 2


@pytest.mark.parametrize(
    ("values", "place"),
    [([0, 1, 2], -1), ([0, 3, 2], 1), ([-1, 0, 1], 0), ([2, 1, 2], 2), ([0, 2**40, 1], 1)],
)
def test_the_first_fault_is_found(values, place):
    bits = np.zeros(1, dtype=np.uint64)
    assert parity.first_fault(np.array(values, dtype=np.int64), bits) == place


def test_the_same_without_the_compiler():
    program = (
        "import numpy as np\n"
        "from tilework.core.puzzle.parity_kernel import first_fault, permutation_is_odd\n"
        "cells = np.random.default_rng(3).permutation(200).astype(np.int32)\n"
        "print(int(permutation_is_odd(cells, 200)), int(permutation_is_odd(cells, 9)),\n"
        "      first_fault(cells, np.zeros(4, np.uint64)))\n"
    )
    printed = subprocess.check_output(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        text=True,
    )
    odd = naive.inversions(np.random.default_rng(3).permutation(200).tolist()) % 2
    assert printed.split() == [str(odd), str(odd), "-1"]
