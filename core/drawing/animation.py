"""Solutions as animated GIFs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from math import ceil, isqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from tilework.core.drawing.board_image import (
    MAX_NUMBERED_SIDE,
    PALETTES,
    Theme,
    TilePainter,
    has_numbers,
)
from tilework.core.errors import OptionError
from tilework.core.machine import require_extra
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.replay import blank_path

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_FRAMES: Final = 1_000
MAX_PIXELS: Final = 24_000_000  # of all frames together; each pixel takes a byte of memory
_MAX_CELL: Final = 64
_MIN_CELL: Final = 20
_MAX_WIDTH: Final = 480

_TOTAL_MS: Final = 12_000
_MIN_PAUSE_MS: Final = 40
_MAX_PAUSE_MS: Final = 400
_START_MS: Final = 900
_END_MS: Final = 2_500
_TICK_MS: Final = 10
_MIN_FRAME_MS: Final = 20  # browsers slow shorter frames down

_COLOURS: Final = 64


def is_animatable(size: Size) -> bool:
    """Whether the tiles of a board are large enough for an animation."""
    return has_numbers(size)


def check_animation_size(size: Size) -> None:
    """Reject a board that is too large to be animated."""
    if not is_animatable(size):
        raise OptionError(
            "animation-size",
            "{size} boards are too large to animate; use a board with at most {max} rows and "
            "columns",
            size=size,
            max=MAX_NUMBERED_SIDE,
        )


def solution_gif(
    start: Board, moves: MoveSequence, goal: Board, times_ms: Sequence[int] | None = None
) -> bytes:
    """Draw the board after each move, skipping moves if there would be too many frames.

    Parameters
    ----------
    times_ms : milliseconds from the first move to each move, to animate at the speed of the game
    """
    require_extra("pictures")
    check_animation_size(start.size)
    schedule = _schedule(len(moves), _limit_frames(start.size) - 1, times_ms)
    frames = _Frames(start, goal, _choose_cell_side(start.size, len(schedule) + 1))
    first_picture = frames.picture.copy()
    file = BytesIO()
    first_picture.save(
        file,
        "GIF",
        save_all=True,
        append_images=frames.pictures_after(start, moves, [frame.move_count for frame in schedule]),
        duration=[_START_MS, *(frame.duration_ms for frame in schedule)],
        loop=0,
        optimize=False,
    )
    return file.getvalue()


class _Frame(NamedTuple):
    move_count: int  # moves made before the frame
    duration_ms: int


def _limit_frames(size: Size) -> int:
    return min(MAX_FRAMES, MAX_PIXELS // (size.cells * _MIN_CELL**2))


def _schedule(count: int, limit: int, times_ms: Sequence[int] | None) -> list[_Frame]:
    """Return the frames after the first board, at most `limit`."""
    if times_ms is not None:
        return _schedule_game(times_ms, limit)
    step = max(1, ceil(count / limit))
    move_counts = [*range(step, count, step), *[count][:count]]
    pause = min(_MAX_PAUSE_MS, max(_MIN_PAUSE_MS, _TOTAL_MS // max(1, len(move_counts))))
    pause -= pause % _TICK_MS
    return [
        _Frame(move_count, pause if move_count < count else _END_MS) for move_count in move_counts
    ]


def _schedule_game(times_ms: Sequence[int], limit: int) -> list[_Frame]:
    """Return frames at the times of the moves, without those that would be too short to be seen."""
    shortest_ms = max(_MIN_FRAME_MS, ceil((times_ms[-1] if times_ms else 0) / limit))
    frames: list[_Frame] = []
    frame_start = 0
    for index, (time, next_time) in enumerate(pairwise(times_ms), 1):
        # Times are rounded together, so that errors do not add up.
        start, end = (ms - ms % _TICK_MS for ms in (frame_start, next_time))
        if end - start >= shortest_ms and next_time > time:
            frames.append(_Frame(index, end - start))
            frame_start = next_time
    return [*frames, _Frame(len(times_ms), _END_MS)] if times_ms else []


def _choose_cell_side(size: Size, frames: int) -> int:
    max_side = isqrt(MAX_PIXELS // (frames * size.cells))
    return min(_MAX_CELL, max_side, _MAX_WIDTH // max(size))


class _Frames:
    """A palette image, in which each move changes two cells."""

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
        quantized = sprites.quantize(_COLOURS)
        self._faces = {
            (tile, home): quantized.crop(
                (home * side, tile * side, (home + 1) * side, (tile + 1) * side)
            )
            for tile in range(count)
            for home in (False, True)
        }
        # An image with the same palette; every cell is overwritten.
        self.picture = quantized.crop((0, 0, board.width * side, board.height * side))
        for cell in range(count):
            self._paste(cell)

    def pictures_after(
        self, start: Board, moves: MoveSequence, move_counts: Sequence[int]
    ) -> Iterator[Image]:
        """Yield the picture after each of these numbers of moves."""
        blank, count, frame_counts = start.blank, 0, set(move_counts)
        for path in blank_path(start, moves):
            for cell in path.tolist():
                self._cells[blank], self._cells[cell] = self._cells[cell], 0
                self._paste(blank)
                self._paste(cell)
                blank = cell
                count += 1
                if count in frame_counts:
                    yield self.picture.copy()

    def _paste(self, cell: int) -> None:
        tile = self._cells[cell]
        row, column = divmod(cell, self._width)
        face = self._faces[tile, tile == self._goal[cell]]
        self.picture.paste(face, (column * self._side, row * self._side))
