from base64 import b64decode
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from tilework.core.drawing.board_image import PALETTES, SIZE, Theme, preview_png
from tilework.core.drawing.svg import board_svg
from tilework.core.formats.board_text import read_board
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral
from tilework.core.puzzle.scramble import scramble


def find_elements(picture: str, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}" + name))


def read_tiles(picture: str, board: Board) -> list[int]:
    """Return the tiles row by row, by the positions of their numbers."""
    cells = [0] * board.size.cells
    box = ElementTree.fromstring(picture).attrib["viewBox"].split()
    width, height = int(box[2]), int(box[3])
    for text in find_elements(picture, "text"):
        column = int(int(text.attrib["x"]) / width * board.width)
        row = int(int(text.attrib["y"]) / height * board.height)
        cells[row * board.width + column] = int(text.text or "")
    return cells


@pytest.mark.parametrize("size", [Size(2, 2), Size(12, 3), Size(3, 12), Size(12, 12)])
def test_every_tile_is_drawn_in_its_cell(size: Size) -> None:
    for make_goal in (blank_last, blank_first, spiral):
        goal = make_goal(size)
        board = scramble(size, goal, 1)
        assert read_tiles(board_svg(board, goal), board) == board.cells.tolist()


def test_tiles_in_their_goal_cells_have_another_colour() -> None:
    goal = blank_first(Size(3, 3))
    board = read_board("1 0 2 3 4 5 6 7 8")
    for theme in Theme:
        rectangles = find_elements(board_svg(board, goal, theme), "rect")
        faces = [rectangle.attrib["fill"] for rectangle in rectangles]
        palette = PALETTES[theme]
        assert faces == [palette.tray, palette.away, *[palette.home] * 7]


def test_large_board_is_a_picture_with_one_pixel_per_tile() -> None:
    size = Size(40, 25)
    goal = blank_last(size)
    pictures = [board_svg(board, goal) for board in (goal, scramble(size, goal, 3))]
    attributes = ElementTree.fromstring(pictures[0]).attrib
    assert int(attributes["width"]) * size.height == int(attributes["height"]) * size.width
    solved, board = map(rasterize, pictures)
    assert solved.shape == (25, 40, 3)
    # Neighbouring tiles have similar colours.
    assert np.abs(np.diff(solved[:-1].astype(int), axis=1)).max() < 12
    assert sorted(map(tuple, solved.reshape(-1, 3).tolist())) == sorted(
        map(tuple, board.reshape(-1, 3).tolist())
    )
    assert (solved != board).any()
    largest = blank_last(Size(300, 300))
    assert len(board_svg(scramble(largest.size, largest, 1), largest)) < 400_000


def rasterize(picture: str) -> np.ndarray:
    [image] = find_elements(picture, "image")
    kind, _, content = image.attrib["href"].partition(",")
    assert kind == "data:image/png;base64"
    return np.asarray(Image.open(BytesIO(b64decode(content))))


@pytest.mark.parametrize("size", [Size(2, 2), Size(3, 5), Size(1, 7), Size(2, 500), Size(300, 300)])
def test_preview_has_its_size_and_a_centred_board(size: Size) -> None:
    goal = blank_last(size)
    content = preview_png(scramble(size, goal, 1), goal)
    image = Image.open(BytesIO(content))
    assert (image.format, image.size) == ("PNG", SIZE)
    pixels = np.asarray(image.convert("RGB"))
    painted = np.argwhere((pixels != pixels[0, 0]).any(axis=2))
    (top, left), (bottom, right) = painted.min(axis=0), painted.max(axis=0)
    assert abs(top - (SIZE[1] - 1 - bottom)) <= 1
    assert abs(left - (SIZE[0] - 1 - right)) <= 1
    if size.cells > 4:
        assert content != preview_png(scramble(size, goal, 2), goal)
