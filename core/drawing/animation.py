"""A solution as an animated GIF, a frame a move."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from math import isqrt
from typing import TYPE_CHECKING, Final

from tilework.core.drawing.board_image import TilePainter
from tilework.core.drawing.colours import NUMBERED_SIDE, PALETTES, Theme, has_numbers
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.replay import blank_path

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_FRAMES: Final = 1_000
MOST_PIXELS: Final = 24_000_000  # of all frames together, a byte each while the file is made
_LARGEST_CELL: Final = 64
_SMALLEST_CELL: Final = 20
_WIDEST: Final = 480

_WHOLE_MS: Final = 12_000
_FASTEST_MS: Final = 40
_SLOWEST_MS: Final = 400
_START_MS: Final = 900
_END_MS: Final = 2_500
_TICK_MS: Final = 10

_COLOURS: Final = 64


def most_moves(size: Size) -> int:
    """Return how many moves an animation of a board of this size may have; 0 of large ones."""
    if not has_numbers(size):
        return 0
    return min(MOST_FRAMES, MOST_PIXELS // (size.cells * _SMALLEST_CELL**2)) - 1


def check_animation_length(size: Size, count: int) -> None:
    """Raise for a solution that is not drawn."""
    most = most_moves(size)
    if most == 0:
        raise OptionError(
            "animation-size",
            "a board of {size} is too large to animate; give one with at most {most} rows and "
            "columns",
            size=size,
            most=NUMBERED_SIDE,
        )
    if count > most:
        raise OptionError(
            "animation-moves",
            "the solution has {count} moves; an animation of a board of {size} shows at most "
            "{most}",
            count=count,
            size=size,
            most=most,
        )


def solution_gif(start: Board, moves: MoveSequence, goal: Board) -> bytes:
    """Draw a solution: the board as it lies, and once more after each move."""
    check_animation_length(start.size, len(moves))
    frames = _Frames(start, goal, _side(start.size, len(moves) + 1))
    first = frames.picture.copy()
    pause = min(_SLOWEST_MS, max(_FASTEST_MS, _WHOLE_MS // max(1, len(moves))))
    pause -= pause % _TICK_MS
    file = BytesIO()
    first.save(
        file,
        "GIF",
        save_all=True,
        append_images=frames.after(start, moves),
        duration=[_START_MS, *[pause] * (len(moves) - 1), _END_MS][: len(moves) + 1],
        loop=0,
        optimize=False,
    )
    return file.getvalue()


def _side(size: Size, frames: int) -> int:
    affordable = isqrt(MOST_PIXELS // (frames * size.cells))
    return min(_LARGEST_CELL, affordable, _WIDEST // max(size))


class _Frames:
    """A picture of few colours, of which each move changes two cells."""

    def __init__(self, board: Board, goal: Board, side: int) -> None:
        from PIL import Image, ImageDraw

        self._width = board.width
        self._goal = goal.cells.tolist()
        self._cells = board.cells.tolist()
        self._side = side
        count = board.size.cells
        sheet = Image.new("RGB", (2 * side, count * side))
        painter, pen = TilePainter(board.size, PALETTES[Theme.LIGHT], side), ImageDraw.Draw(sheet)
        for tile in range(count):
            for home in (False, True):
                painter.paint(pen, tile, (home * side, tile * side), home=home)
        few = sheet.quantize(_COLOURS)
        self._faces = {
            (tile, home): few.crop((home * side, tile * side, (home + 1) * side, (tile + 1) * side))
            for tile in range(count)
            for home in (False, True)
        }
        # Of the same colours; every cell is painted over.
        self.picture = few.crop((0, 0, board.width * side, board.height * side))
        for cell in range(count):
            self._put(cell)

    def after(self, start: Board, moves: MoveSequence) -> Iterator[Image]:
        blank = start.blank
        for path in blank_path(start, moves):
            for cell in path.tolist():
                self._cells[blank], self._cells[cell] = self._cells[cell], 0
                self._put(blank)
                self._put(cell)
                blank = cell
                yield self.picture.copy()

    def _put(self, cell: int) -> None:
        tile = self._cells[cell]
        row, column = divmod(cell, self._width)
        face = self._faces[tile, tile == self._goal[cell]]
        self.picture.paste(face, (column * self._side, row * self._side))
