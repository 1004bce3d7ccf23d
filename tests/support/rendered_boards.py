"""Pictures of boards in many styles, with perspective and noise."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tilework.core.errors import PictureError
from tilework.core.pictures.recognition import read_picture

Font = Callable[[float], ImageFont.FreeTypeFont]
"""Returns a font for a size in pixels."""

# Packages of the extra "test"; Pillow includes another font.
FONTS = {
    "font_roboto": ("Roboto-Regular.ttf", "Roboto-Bold.ttf"),
    "font_caladea": ("Caladea-Regular.ttf", "Caladea-Bold.ttf"),
    "font_fredoka_one": ("FredokaOne-Regular.ttf",),
    "font_source_serif_pro": ("SourceSerifPro-Regular.ttf", "SourceSerifPro-Bold.ttf"),
}

_SUPERSAMPLING: Final = 2
_MARGIN: Final = 0.18
_PERSPECTIVE: Final = 0.04


@dataclass(frozen=True)
class Scheme:
    """The colours of a board; `frame` shows between its tiles and in the blank."""

    name: str
    background: str
    frame: str
    tile: str
    digits: str
    line: str


SCHEMES: Final = (
    Scheme("light", "#f4f1ea", "#d9d3c5", "#ffffff", "#202020", "#8a8577"),
    Scheme("dark", "#12161f", "#05070c", "#2f66c8", "#f5f7fb", "#2f66c8"),
)


@dataclass(frozen=True)
class Look:
    """The style of a drawn board.

    Attributes
    ----------
    gap, radius : float
    Gap between tiles and radius of their corners, as shares of a cell.
    digits : float
    Height of the font, as a share of a cell.
    degrees : float
    Angle of the rotation.
    noise : float
    Standard deviation in each channel, from 0 to 255.
    cell : int
    Side in pixels.
    """

    scheme: Scheme
    font: Font
    gap: float
    radius: float
    digits: float
    degrees: float
    noise: float
    cell: int


def random_look(random: np.random.Generator, load_fonts: Sequence[Font], scheme: Scheme) -> Look:
    """Return a random style."""
    gap = float(random.choice((0.0, 0.03, 0.08)))
    return Look(
        scheme,
        load_fonts[int(random.integers(len(load_fonts)))],
        gap,
        float(random.choice((0.0, 0.08, 0.16))) if gap else 0.0,
        random.uniform(0.42, 0.6),
        random.uniform(-5, 5),
        random.uniform(0, 14),
        int(random.integers(56, 110)),
    )


def draw_board(
    rows: Sequence[Sequence[int]], look: Look, random: np.random.Generator
) -> Image.Image:
    """Draw a board: rows of tiles, 0 for the blank."""
    cell = look.cell * _SUPERSAMPLING
    height, width = cell * len(rows), cell * len(rows[0])
    margin = int(_MARGIN * max(height, width))
    image = Image.new("RGB", (width + 2 * margin, height + 2 * margin), look.scheme.background)
    draw = ImageDraw.Draw(image)
    line = max(2, int(0.025 * cell))
    edge = margin - line
    draw.rectangle((edge, edge, margin + width + line, margin + height + line), look.scheme.frame)
    font = look.font(look.digits * cell)
    inset = look.gap * cell / 2
    for row, tiles in enumerate(rows):
        for column, tile in enumerate(tiles):
            if not tile:
                continue
            left, top = margin + column * cell + inset, margin + row * cell + inset
            right, bottom = left + cell - 2 * inset, top + cell - 2 * inset
            # Tiles without a gap need visible borders.
            outline = look.scheme.line if look.gap else "#777777"
            draw.rounded_rectangle(
                (left, top, right, bottom), look.radius * cell, look.scheme.tile, outline, line
            )
            center = ((left + right) / 2, (top + bottom) / 2)
            draw.text(center, str(tile), look.scheme.digits, font, anchor="mm")
    return _photograph(image, look, random)


def _photograph(image: Image.Image, look: Look, random: np.random.Generator) -> Image.Image:
    """Rotate a drawing slightly, as if photographed by hand, and add noise."""
    size = image.width, image.height
    corners = np.array([(0, 0), (size[0], 0), size, (0, size[1])], dtype=float)
    moved = corners + random.uniform(-1, 1, (4, 2)) * _PERSPECTIVE * min(size)
    angle = np.deg2rad(look.degrees)
    matrix = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    center = np.array(size) / 2
    moved = (moved - center) @ matrix.T + center
    # Pillow needs the inverse transform, from the result to the drawing.
    inverse = cv2.getPerspectiveTransform(moved.astype(np.float32), corners.astype(np.float32))
    warped = image.transform(
        size,
        Image.Transform.PERSPECTIVE,
        inverse.reshape(-1)[:8].tolist(),
        Image.Resampling.BICUBIC,
        fillcolor=look.scheme.background,
    ).reduce(_SUPERSAMPLING)
    noisy = np.asarray(warped, dtype=float)
    # The light comes from one side.
    left, right = random.uniform(0.85, 1.0, 2).tolist()
    light = np.linspace(left, right, noisy.shape[1])[None, :, None]
    noisy = noisy * light + random.normal(0, look.noise, noisy.shape)
    return Image.fromarray(noisy.clip(0, 255).astype(np.uint8))


def encode_image(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    """Return the bytes of an image file."""
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def load_fonts() -> list[Font]:
    """Return all fonts."""
    fonts: list[Font] = [ImageFont.load_default]  # type: ignore[list-item]
    for package, files in FONTS.items():
        spec = find_spec(package)
        assert spec is not None, package
        assert spec.origin is not None, package
        folder = Path(spec.origin).parent / "files"
        fonts += [partial(ImageFont.truetype, str(folder / file)) for file in files]
    return fonts


def count_correct_digits(seed: int, fonts: list[Font]) -> tuple[int, int, int]:
    """Return the number of digits of one board, of those read correctly, and of those read wrongly
    but not marked as doubtful.
    """
    random = np.random.default_rng(seed)
    rows, columns = random.integers(3, 7, 2)
    board = random.permutation(rows * columns).reshape(rows, columns)
    look = random_look(random, fonts, SCHEMES[seed % len(SCHEMES)])
    digits = [len(str(tile)) for tile in board.flat]
    kind = ("PNG", "JPEG", "WEBP")[seed % 3]
    try:
        reading = read_picture(encode_image(draw_board(board.tolist(), look, random), kind))
    except PictureError:
        return sum(digits), 0, 0
    if (reading.rows, reading.columns) != board.shape:
        return sum(digits), 0, sum(digits)
    correct = unmarked = 0
    for cell, tile, count in zip(reading.cells, board.flat, digits, strict=True):
        correct += count * (cell.tile == tile)
        unmarked += count * (cell.tile != tile and not cell.doubtful)
    return sum(digits), correct, unmarked


BOARD = [[2, 11, 5, 8], [1, 0, 7, 14], [10, 3, 15, 6], [9, 13, 4, 12]]
TILES = [tile for row in BOARD for tile in row]


def draw_picture_file(
    rows: list[list[int]] = BOARD,
    scheme: int = 0,
    degrees: float = 3.0,
    noise: float = 6.0,
    kind: str = "PNG",
) -> bytes:
    """Return the bytes of a picture of a board."""
    look = Look(
        SCHEMES[scheme],
        ImageFont.load_default,  # type: ignore[arg-type]
        gap=0.05,
        radius=0.1,
        digits=0.5,
        degrees=degrees,
        noise=noise,
        cell=80,
    )
    return encode_image(draw_board(rows, look, np.random.default_rng(1)), kind)
