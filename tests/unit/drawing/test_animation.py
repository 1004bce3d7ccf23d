from io import BytesIO

import pytest
from PIL import Image, ImageColor

from tilework.core.drawing.animation import (
    MAX_FRAMES,
    MAX_PIXELS,
    check_animation_length,
    max_moves,
    solution_gif,
)
from tilework.core.drawing.colours import PALETTES, Theme
from tilework.core.errors import OptionError
from tilework.core.formats.board_text import read_board
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_at, blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply

START = "1 2 3 4 5 6 0 7 8"
PALETTE = PALETTES[Theme.LIGHT]
NEAR = 12


def seen(frame: Image.Image, size: Size) -> list[str]:
    """Return the background of each cell: ``blank``, ``home`` or ``away``."""
    names = {"blank": PALETTE.tray, "home": PALETTE.home, "away": PALETTE.away}
    side = frame.width // size.width
    found = []
    for cell in range(size.cells):
        row, column = divmod(cell, size.width)
        centre = (column * side + side // 2, row * side + side // 6)
        pixel = frame.convert("RGB").getpixel(centre)
        [name] = [name for name, colour in names.items() if near(pixel, colour)]
        found.append(name)
    return found


def near(pixel, colour: str) -> bool:
    return all(abs(a - b) <= NEAR for a, b in zip(pixel, ImageColor.getrgb(colour), strict=True))


def looks(board: Board, goal: Board) -> list[str]:
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
        assert seen(file, start.size) == looks(board, goal)

    goal = blank_last(Size(4, 2))
    file = Image.open(BytesIO(solution_gif(goal, from_letters(""), goal)))
    assert getattr(file, "n_frames", 1) == 1
    assert seen(file, goal.size) == looks(goal, goal)


@pytest.mark.parametrize("side", [2, 7, 12])
def test_all_frames_fit_the_limit_at_the_maximum_length(side: int) -> None:
    size = Size(side, side)
    goal = blank_last(size)
    count = max_moves(size)
    there_and_back = from_letters(("DU" * MAX_FRAMES)[:count])
    file = Image.open(BytesIO(solution_gif(goal, there_and_back, goal)))
    assert file.n_frames == count + 1 <= MAX_FRAMES
    assert file.n_frames * file.width * file.height <= MAX_PIXELS
    assert file.width // side >= 20


def test_too_large_animations_are_refused() -> None:
    check_animation_length(Size(10, 10), 599)
    for size, count, words in (
        (Size(13, 2), 1, "a board of 13×2 is too large to animate"),
        (Size(4, 4), 1000, "the solution has 1000 moves; an animation of a board of 4×4 shows at"),
        (Size(10, 10), 600, "shows at most 599"),
    ):
        with pytest.raises(OptionError, match=words):
            check_animation_length(size, count)
