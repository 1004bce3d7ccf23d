from itertools import product

import numpy as np
import pytest

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.slabs import DigitSlabs, RankedSlabs

SIZE = Size(3, 2)
PATTERN = (5, 1, 3)


@pytest.mark.parametrize("kind", [DigitSlabs, RankedSlabs])
@pytest.mark.parametrize("most", [1000, 100, 40, 6])
def test_slabs_hold_what_counting_finds(kind, most):
    slabs = kind(PATTERN, SIZE, most)
    partition = Partition("3-2", SIZE, (PATTERN, (2, 4)), ranked=kind is RankedSlabs)
    length = partition.lengths[0]
    parts = [slabs.known(first) for first in range(0, length, slabs.length)]
    distances, clashes = (np.concatenate(halves) for halves in zip(*parts, strict=True))
    assert distances.shape == clashes.shape == (length,)
    indices = set()
    for placement in product(range(6), repeat=3):
        clash = len({*placement}) < 3
        if clash and kind is RankedSlabs:
            continue
        index = slabs.index_of(placement)
        assert slabs.placement_of(index) == placement
        steps = [
            abs(cell % 3 - (tile - 1) % 3) + abs(cell // 3 - (tile - 1) // 3)
            for cell, tile in zip(placement, PATTERN, strict=True)
        ]
        assert distances[index] == sum(steps)
        assert clashes[index] == clash
        indices.add(index)
    assert indices == set(range(length))
