"""The sizes of boards whose shortest solutions are all found. Loads no kernel: anybody may ask."""

from __future__ import annotations

from typing import Final

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Size

MOST_CELLS: Final = 16
"""Cells of the largest board: its tiles fit one word of 64 bits."""


def check_size(size: Size) -> None:
    """Refuse boards that are too large.

    Raises
    ------
    OptionError
    """
    if size.cells > MOST_CELLS:
        raise OptionError(
            "ways-cells",
            "all shortest solutions are found on boards of up to {most} cells; "
            "one of {size} has {cells}",
            most=MOST_CELLS,
            size=size,
            cells=size.cells,
        )
