"""Reading a pattern database as that of the same pattern rotated or mirrored."""

from __future__ import annotations

from tilework.core.compiling import kernel
from tilework.core.solver.kernels.constants import INDEX


@kernel
def copy_turned(source, target, offsets):
    """Fill one pattern database from another whose tiles and cells are renamed.

    Parameters
    ----------
    source : uint8 array, shape (cells ** tiles,)
    target : uint8 array of the same shape, changed in place
    offsets : int64 array, shape (tiles, cells)
        An index of the target has digits in base ``cells``; the source's index is the sum of
        the offsets by place and digit.
    """
    tiles, cells = offsets.shape
    for high in range(target.size // cells):
        rest = high
        base = 0
        for tile in range(1, tiles):
            base += offsets[tile, rest % cells]
            rest //= cells
        for cell in range(cells):
            target[INDEX(high * cells + cell)] = source[INDEX(base + offsets[0, cell])]
