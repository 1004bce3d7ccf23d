"""``python -m tools.chaos.load.make_ways``: shortest solutions of boards of published lengths.

Any board on a shortest solution is as far from the goal as it has moves left: so a hundred boards
of known length give thousands, by the arithmetic of lengths alone, however the solutions were
found.
"""

from __future__ import annotations

from pathlib import Path

from tests.support.instances import instances
from tests.system.faults.stage import LONG_LENGTH, LONG_TILES
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import to_letters
from tilework.core.solver.solve import solve
from tools.chaos.load import boards


def main() -> None:
    """Write the file; a length that is not the published one ends the program."""
    known = [(4, one.tiles, one.length) for one in instances("korf100_15puzzle.txt")]
    turned = [(side, boards.turned(tiles), length) for side, tiles, length in known]
    with Path(boards.WAYS).open("w", encoding="utf-8") as file:
        print("# side | tiles | a shortest solution; lengths: tests/data/README.md", file=file)
        for side, tiles, length in [(5, LONG_TILES, LONG_LENGTH), *turned]:
            found = solve(Board(tiles, side, side), blank_last(Size(side, side)), threads=2)
            letters = "" if found.moves is None else to_letters(found.moves)
            if len(letters) != length:
                raise SystemExit(f"{tiles} has {length} moves, and {len(letters)} were found")
            print(side, " ".join(map(str, tiles)), letters, sep=" | ", file=file, flush=True)


if __name__ == "__main__":
    main()
