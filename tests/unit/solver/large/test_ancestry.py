"""Moves come back out of the ancestry as they went in, and its memory stays small."""

from __future__ import annotations

import numpy as np
import pytest

from tilework.core.solver.large.ancestry import Ancestry


def random_levels(width, levels, seed):
    """Levels of up to ``width`` rows with the moves to each, kept whole beside."""
    random = np.random.default_rng(seed)
    ancestry = Ancestry(tidy_from=40 * width)
    paths = [()]
    for _ in range(levels):
        parents = random.integers(len(paths), size=random.integers(1, width + 1))
        moves = random.integers(4, size=parents.size)
        ancestry.add((parents << 2 | moves).astype(np.uint32))
        paths = [(*paths[parent], move) for parent, move in zip(parents, moves, strict=True)]
    return ancestry, paths


@pytest.mark.parametrize("width", [1, 2, 5, 40])
@pytest.mark.parametrize("levels", [0, 1, 15, 16, 17, 100])
def test_moves_to_every_row(width, levels):
    ancestry, paths = random_levels(width, levels, seed=width * 1000 + levels)
    for row, path in enumerate(paths):
        assert tuple(ancestry.moves_to(row << 2 | 3)) == (*path, 3)


def test_rows_without_descendants_are_dropped():
    ancestry, _ = random_levels(200, 800, seed=4)
    # Some last levels whole, of the others little more than one row each.
    assert ancestry.nbytes < 4 * 200 * 64
