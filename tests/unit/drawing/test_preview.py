"""The picture for links, and the PNG that is written without a library."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from tilework.core.drawing.png import png_of
from tilework.core.drawing.preview import SIZE, preview_png
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble


@pytest.mark.parametrize(
    "size", [Size(2, 2), Size(3, 5), Size(12, 12), Size(1, 7), Size(2, 500), Size(300, 300)]
)
def test_a_preview_has_the_size_that_is_asked_for_and_a_board_in_its_middle(size: Size) -> None:
    goal = blank_last(size)
    drawn = Image.open(BytesIO(preview_png(scramble(size, goal, 1), goal)))
    assert drawn.format == "PNG"
    assert drawn.size == SIZE
    ground = drawn.getpixel((0, 0))
    assert drawn.getpixel((SIZE[0] - 1, SIZE[1] - 1)) == ground
    pixels = np.asarray(drawn.convert("RGB"))
    painted = np.argwhere((pixels != np.array(ground[:3])).any(axis=2))
    (top, left), (bottom, right) = painted.min(axis=0), painted.max(axis=0)
    assert abs(top - (SIZE[1] - 1 - bottom)) <= 1
    assert abs(left - (SIZE[0] - 1 - right)) <= 1


def test_two_boards_have_two_pictures() -> None:
    goal = blank_last(Size(4, 4))
    boards = [scramble(goal.size, goal, seed) for seed in (1, 2)]
    assert len({preview_png(board, goal) for board in boards}) == 2


@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (7, 300)])
def test_pixels_come_back_as_they_were(shape: tuple[int, int]) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (*shape, 3), dtype=np.uint8)
    image = Image.open(BytesIO(png_of(pixels)))
    image.load()  # checks the sums of all chunks
    assert (np.asarray(image) == pixels).all()
