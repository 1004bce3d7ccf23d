"""Boards as SVG, read back by an XML parser and, of large ones, by Pillow."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from tilework.core.drawing.board_svg import board_svg
from tilework.core.drawing.colours import PALETTES, Light
from tilework.core.formats.board_text import read_board
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral
from tilework.core.puzzle.scramble import scramble

SVG = "{http://www.w3.org/2000/svg}"
LARGEST_BYTES = 400_000


def elements(picture: str, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(picture).iter(SVG + name))


def placed(picture: str, board: Board) -> list[int]:
    """The tiles row by row, by where their numbers stand in the picture."""
    cells = [0] * board.size.cells
    box = ElementTree.fromstring(picture).attrib["viewBox"].split()
    width, height = int(box[2]), int(box[3])
    for text in elements(picture, "text"):
        column = int(int(text.attrib["x"]) / width * board.width)
        row = int(int(text.attrib["y"]) / height * board.height)
        cells[row * board.width + column] = int(text.text or "")
    return cells


@pytest.mark.parametrize("make_goal", [blank_last, blank_first, spiral])
@pytest.mark.parametrize("size", [Size(2, 2), Size(4, 4), Size(12, 3), Size(3, 12), Size(12, 12)])
def test_every_tile_is_where_it_lies(size: Size, make_goal) -> None:
    goal = make_goal(size)
    board = scramble(size, goal, 1)
    assert placed(board_svg(board, goal), board) == board.cells.tolist()


@pytest.mark.parametrize("light", Light)
def test_tiles_at_home_have_the_colour_of_home(light: Light) -> None:
    goal = blank_first(Size(3, 3))
    board = read_board("1 0 2 3 4 5 6 7 8")
    faces = [one.attrib["fill"] for one in elements(board_svg(board, goal, light), "rect")]
    palette = PALETTES[light]
    assert faces == [palette.tray, palette.away, *[palette.home] * 7]


def test_a_large_board_is_one_picture_of_a_pixel_a_tile() -> None:
    size = Size(40, 25)
    goal = blank_last(size)
    solved, board = (image_of(board_svg(one, goal)) for one in (goal, scramble(size, goal, 3)))
    assert solved.shape == (25, 40, 3)
    # Mixed from the corners, each colour lies between its neighbours'.
    steps = np.abs(np.diff(solved[:-1].astype(int), axis=1))
    assert steps.max() < 12
    assert sorted(map(tuple, solved.reshape(-1, 3).tolist())) == sorted(
        map(tuple, board.reshape(-1, 3).tolist())
    )
    assert (solved != board).any()


def image_of(picture: str) -> np.ndarray:
    [image] = elements(picture, "image")
    kind, _, content = image.attrib["href"].partition(",")
    assert kind == "data:image/png;base64"
    return np.asarray(Image.open(BytesIO(b64decode(content))))


def test_the_largest_board_is_some_hundred_kilobytes() -> None:
    size = Size(300, 300)
    goal = blank_last(size)
    assert len(board_svg(scramble(size, goal, 1), goal)) < LARGEST_BYTES
