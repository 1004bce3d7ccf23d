"""A slow search for one placement's distance, to check an entry that the builder made.

It shares no code with the builder: plain Python, depth first from the placement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tilework.core.puzzle.board import Size

Cells = tuple[int, ...]
Region = frozenset[int]


class SlowSearch:
    """Searches for the goal of one pattern.

    Parameters
    ----------
    goal : tuple of int
        The cell of each tile of the pattern in the goal.
    blank : int
        The blank's cell in the goal.
    size : Size
    estimate : callable
        By the tiles' cells a distance that is probably right: it only guides the search.
    """

    def __init__(
        self, goal: Cells, blank: int, size: Size, estimate: Callable[[Cells], int]
    ) -> None:
        self._goal = goal
        self._blank = blank
        self._cells = size.cells
        self._estimate = estimate
        self._beside = [_beside(cell, size) for cell in range(size.cells)]

    def reaches_goal(self, cells: Cells, moves: int) -> bool:
        """Whether that many moves of the pattern's tiles suffice, the blank starting anywhere."""
        in_vain: set[tuple[Cells, Region, int]] = set()

        def reaches(here: Cells, region: Region, left: int) -> bool:
            if here == self._goal and self._blank in region:
                return True
            if (here, region, left) in in_vain:
                return False
            for after, its_region in self._moved(here, region):
                if self._estimate(after) < left and reaches(after, its_region, left - 1):
                    return True
            in_vain.add((here, region, left))
            return False

        return moves >= 0 and any(reaches(cells, region, moves) for region in self._regions(cells))

    def _moved(self, cells: Cells, region: Region) -> Iterator[tuple[Cells, Region]]:
        for place, cell in enumerate(cells):
            for target in self._beside[cell]:
                if target in region:
                    after = (*cells[:place], target, *cells[place + 1 :])
                    yield after, self._region(after, cell)

    def _regions(self, cells: Cells) -> set[Region]:
        return {self._region(cells, blank) for blank in range(self._cells) if blank not in cells}

    def _region(self, cells: Cells, blank: int) -> Region:
        """Return the cells that the blank reaches while the tiles rest."""
        region = {blank}
        edge = [blank]
        while edge:
            for cell in self._beside[edge.pop()]:
                if cell not in region and cell not in cells:
                    region.add(cell)
                    edge.append(cell)
        return frozenset(region)


def _beside(cell: int, size: Size) -> list[int]:
    row, column = divmod(cell, size.width)
    return [
        (row + down) * size.width + column + right
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if 0 <= row + down < size.height and 0 <= column + right < size.width
    ]
