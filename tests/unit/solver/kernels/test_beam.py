from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.solver.kernels.beam_program import summary
from tests.unit.solver.kernels.uncompiled import printed_uncompiled
from tilework.core.solver.kernels.beam.beam import KEYS, choose


def test_the_same_without_the_compiler():
    assert printed_uncompiled("tests.unit.solver.kernels.beam_program") == summary()


@given(keys=st.lists(st.sampled_from([0, 1, 2, 63, 64, KEYS - 1])), width=st.integers(1, 8))
def test_the_candidates_with_the_least_keys_are_chosen(keys, width):
    chosen = np.full(width, -1, dtype=np.int64)
    count = choose(np.array(keys, dtype=np.int64), width, np.empty(KEYS, dtype=np.int64), chosen)
    by_key = sorted(range(len(keys)), key=lambda candidate: keys[candidate])
    assert chosen[:count].tolist() == sorted(by_key[:width])
