from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.solver.kernels.beam.beam import KEYS, choose
from tests.core.solver.kernels.beam_program import summary


def test_the_same_without_the_compiler():
    printed = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.core.solver.kernels.beam_program"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert json.loads(printed) == summary()


@given(keys=st.lists(st.sampled_from([0, 1, 2, 63, 64, KEYS - 1])), width=st.integers(1, 8))
def test_the_candidates_with_the_least_keys_are_chosen(keys, width):
    chosen = np.full(width, -1, dtype=np.int64)
    count = choose(np.array(keys, dtype=np.int64), width, np.empty(KEYS, dtype=np.int64), chosen)
    by_key = sorted(range(len(keys)), key=lambda candidate: keys[candidate])
    assert chosen[:count].tolist() == sorted(by_key[:width])
