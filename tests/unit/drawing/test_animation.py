from io import BytesIO

import pytest
from PIL import Image, ImageColor

from tilework.core.drawing.animation import (
    MAX_FRAMES,
    MAX_PIXELS,
    check_animation_size,
    solution_gif,
)
from tilework.core.drawing.board_image import PALETTES, Theme
from tilework.core.errors import OptionError
from tilework.core.formats.board_text import read_board
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_at, blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply

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
