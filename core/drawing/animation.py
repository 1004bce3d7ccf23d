"""Solutions as animated GIFs."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from math import isqrt
from typing import TYPE_CHECKING, Final

from tilework.core.drawing.board_image import TilePainter
from tilework.core.drawing.colours import MAX_NUMBERED_SIDE, PALETTES, Theme, has_numbers
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.replay import blank_path

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_FRAMES: Final = 1_000
MAX_PIXELS: Final = 24_000_000  # of all frames together; each takes a byte of memory
_MAX_CELL: Final = 64
_MIN_CELL: Final = 20
_MAX_WIDTH: Final = 480

_TOTAL_MS: Final = 12_000
_MIN_PAUSE_MS: Final = 40
_MAX_PAUSE_MS: Final = 400
_START_MS: Final = 900
_END_MS: Final = 2_500
_TICK_MS: Final = 10

_COLOURS: Final = 64


def max_moves(size: Size) -> int:
    """Return the maximum number of moves of an animation, 0 for large boards."""
    if not has_numbers(size):
        return 0
    return min(MAX_FRAMES, MAX_PIXELS // (size.cells * _MIN_CELL**2)) - 1


def check_animation_length(size: Size, count: int) -> None:
    """Refuse a solution that is too long to be animated."""
    limit = max_moves(size)
    if limit == 0:
        raise OptionError(
            "animation-size",
            "a board of {size} is too large to animate; give one with at most {most} rows and "
            "columns",
            size=size,
            most=MAX_NUMBERED_SIDE,
        )
    if count > limit:
        raise OptionError(
            "animation-moves",
            "the solution has {count} moves; an animation of a board of {size} shows at most "
            "{most}",
            count=count,
            size=size,
            most=limit,
        )


def solution_gif(start: Board, moves: MoveSequence, goal: Board) -> bytes:
    """Draw the board before and after each move."""
    check_animation_length(start.size, len(moves))
    frames = _Frames(start, goal, _choose_cell_side(start.size, len(moves) + 1))
    first = frames.picture.copy()
    pause = min(_MAX_PAUSE_MS, max(_MIN_PAUSE_MS, _TOTAL_MS // max(1, len(moves))))
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


def _choose_cell_side(size: Size, frames: int) -> int:
    affordable = isqrt(MAX_PIXELS // (frames * size.cells))
    return min(_MAX_CELL, affordable, _MAX_WIDTH // max(size))


class _Frames:
    """A palette image in which each move changes two cells."""

    def __init__(self, board: Board, goal: Board, side: int) -> None:
        from PIL import Image, ImageDraw

        self._width = board.width
        self._goal = goal.cells.tolist()
        self._cells = board.cells.tolist()
        self._side = side
        count = board.size.cells
        sprites = Image.new("RGB", (2 * side, count * side))
        painter, pen = TilePainter(board.size, PALETTES[Theme.LIGHT], side), ImageDraw.Draw(sprites)
        for tile in range(count):
            for home in (False, True):
                painter.paint(pen, tile, (home * side, tile * side), home=home)
        reduced = sprites.quantize(_COLOURS)
        self._faces = {
            (tile, home): reduced.crop(
                (home * side, tile * side, (home + 1) * side, (tile + 1) * side)
            )
            for tile in range(count)
            for home in (False, True)
        }
        # An image with the same palette; every cell is overwritten.
        self.picture = reduced.crop((0, 0, board.width * side, board.height * side))
        for cell in range(count):
            self._paste(cell)

    def after(self, start: Board, moves: MoveSequence) -> Iterator[Image]:
        blank = start.blank
        for path in blank_path(start, moves):
            for cell in path.tolist():
                self._cells[blank], self._cells[cell] = self._cells[cell], 0
                self._paste(blank)
                self._paste(cell)
                blank = cell
                yield self.picture.copy()

    def _paste(self, cell: int) -> None:
        tile = self._cells[cell]
        row, column = divmod(cell, self._width)
        face = self._faces[tile, tile == self._goal[cell]]
        self.picture.paste(face, (column * self._side, row * self._side))
