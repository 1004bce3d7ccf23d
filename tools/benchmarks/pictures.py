"""How many digits of drawn boards are read right.

Usage: python -m tools.benchmarks.pictures [--boards N]

Boards of 3×3 to 6×6, in types that the reader was not trained with and in two schemes of colours,
turned by up to 5° and a little askew, with noise. A digit is right if its tile was read right, in
its place; of a board whose grid is not found none is. The blank counts as one digit.
"""

from __future__ import annotations

import argparse
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import ImageFont

from tilework.core.errors import PictureError
from tilework.core.pictures.search import read_picture
from tools.benchmarks.rendered_boards import (
    SCHEMES,
    Font,
    as_file,
    drawn_board,
    drawn_look,
    picture_of,
)
from tools.benchmarks.report import Figure, record

BOARDS = 60

# Packages of the extra "test"; Pillow brings one of its own.
FONTS = {
    "font_roboto": ("Roboto-Regular.ttf", "Roboto-Bold.ttf"),
    "font_caladea": ("Caladea-Regular.ttf", "Caladea-Bold.ttf"),
    "font_fredoka_one": ("FredokaOne-Regular.ttf",),
    "font_source_serif_pro": ("SourceSerifPro-Regular.ttf", "SourceSerifPro-Bold.ttf"),
}


def fonts() -> list[Font]:
    """Return the types to measure with, each of a size in pixels."""
    found: list[Font] = [ImageFont.load_default]  # type: ignore[list-item]
    for package, files in FONTS.items():
        spec = find_spec(package)
        assert spec is not None, package
        assert spec.origin is not None, package
        folder = Path(spec.origin).parent / "files"
        found += [partial(ImageFont.truetype, str(folder / file)) for file in files]
    return found


def read_right(seed: int, types: list[Font]) -> tuple[int, int, int]:
    """Return of one board how many digits it has, are read right, and are wrong but not marked."""
    random = np.random.default_rng(seed)
    board = drawn_board(random)
    look = drawn_look(random, types, SCHEMES[seed % len(SCHEMES)])
    tiles = [tile for row in board for tile in row]
    digits = [len(str(tile)) for tile in tiles]
    kind = ("PNG", "JPEG", "WEBP")[seed % 3]
    try:
        reading = read_picture(as_file(picture_of(board, look, random), kind))
    except PictureError:
        return sum(digits), 0, 0
    if (reading.rows, reading.columns) != (len(board), len(board[0])):
        return sum(digits), 0, sum(digits)
    right = unmarked = 0
    for cell, tile, count in zip(reading.cells, tiles, digits, strict=True):
        right += count * (cell.tile == tile)
        unmarked += count * (cell.tile != tile and not cell.doubtful)
    return sum(digits), right, unmarked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=BOARDS)
    boards = parser.parse_args().boards
    types = fonts()
    sums = np.zeros(3)
    whole = 0
    for seed in range(boards):
        digits, right, unmarked = read_right(seed, types)
        sums += digits, right, unmarked
        whole += digits == right
        if right < digits:
            print(f"board {seed}: {right} of {digits} digits", flush=True)
    share, wrong = 100 * sums[1] / sums[0], 100 * sums[2] / sums[0]
    print(f"{share:.2f} % of {sums[0]:.0f} digits, {whole} of {boards} boards whole")
    if boards == BOARDS:
        record(
            "pictures",
            [
                Figure("digits of 60 drawn boards read right", share, "%", 95, at_most=False),
                Figure("digits read wrong and not marked as doubtful", wrong, "%", 1),
                Figure("boards read without an error", whole, f"of {BOARDS}"),
            ],
        )


if __name__ == "__main__":
    main()
