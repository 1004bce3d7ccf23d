from base64 import b64decode
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image, ImageColor

from tilework.core.drawing.animation import (
    MAX_FRAMES,
    MAX_PIXELS,
    check_animation_size,
    solution_gif,
)
from tilework.core.drawing.board_image import PALETTES, SIZE, Theme, preview_png
from tilework.core.drawing.svg import board_svg
from tilework.core.errors import OptionError
from tilework.core.formats.board_text import read_board
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_at, blank_first, blank_last, spiral
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply
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


START = "1 2 3 4 5 6 0 7 8"
PALETTE = PALETTES[Theme.LIGHT]
TOLERANCE = 12


def read_cells(frame: Image.Image, size: Size) -> list[str]:
    """Return the background of each cell: ``blank``, ``home`` or ``away``."""
    names = {"blank": PALETTE.tray, "home": PALETTE.home, "away": PALETTE.away}
    side = frame.width // size.width
    cells = []
    for cell in range(size.cells):
        row, column = divmod(cell, size.width)
        centre = (column * side + side // 2, row * side + side // 6)
        pixel = frame.convert("RGB").getpixel(centre)
        [name] = [name for name, colour in names.items() if is_near(pixel, colour)]
        cells.append(name)
    return cells


def is_near(pixel, colour: str) -> bool:
    pairs = zip(pixel, ImageColor.getrgb(colour), strict=True)
    return all(abs(a - b) <= TOLERANCE for a, b in pairs)


def expected_cells(board: Board, goal: Board) -> list[str]:
    cells = zip(board.cells.tolist(), goal.cells.tolist(), strict=True)
    return ["blank" if a == 0 else "home" if a == b else "away" for a, b in cells]


@pytest.mark.parametrize("blank", [0, 8])
def test_each_frame_is_the_board_after_one_more_move(blank: int) -> None:
    start, goal = read_board(START), blank_at(Size(3, 3), blank)
    moves = from_letters("LL")
    file = Image.open(BytesIO(solution_gif(start, moves, goal)))
    assert file.n_frames == 3
    assert file.info["loop"] == 0
    for count in range(3):
        file.seek(count)
        board = apply(start, moves[:count])
        assert read_cells(file, start.size) == expected_cells(board, goal)

    goal = blank_last(Size(4, 2))
    file = Image.open(BytesIO(solution_gif(goal, from_letters(""), goal)))
    assert getattr(file, "n_frames", 1) == 1
    assert read_cells(file, goal.size) == expected_cells(goal, goal)


@pytest.mark.parametrize("side", [2, 7, 12])
def test_long_solutions_skip_boards(side: int) -> None:
    goal = blank_last(Size(side, side))
    circles = from_letters("DRUL" * 3 * 334)
    file = Image.open(BytesIO(solution_gif(goal, circles, goal)))
    assert 300 < file.n_frames <= MAX_FRAMES
    assert file.n_frames * file.width * file.height <= MAX_PIXELS
    assert file.width // side >= 20
    file.seek(file.n_frames - 1)
    assert read_cells(file, goal.size) == expected_cells(goal, goal)


def test_replay_of_a_game_keeps_its_timing() -> None:
    start, goal = read_board("1 2 3 4 5 6 7 8 0"), blank_last(Size(3, 3))
    # Two tiles move in one slide, and one move follows too soon to be visible.
    moves, times = from_letters("RRDLLU"), [0, 0, 500, 505, 1205, 1805]
    file = Image.open(BytesIO(solution_gif(start, moves, goal, times)))
    durations = []
    for frame in range(file.n_frames):
        file.seek(frame)
        durations.append(file.info["duration"])
    assert durations[1:-1] == [500, 700, 600]
    assert read_cells(file, start.size) == expected_cells(apply(start, moves), goal)


def test_too_large_boards_are_rejected() -> None:
    with pytest.raises(OptionError, match="13×2 boards are too large to animate"):
        check_animation_size(Size(13, 2))
