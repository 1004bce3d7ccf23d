"""Training samples: numbers drawn on cells in many fonts, as the digit recogniser sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tilework.core.pictures.digits import CELL, NO_DIGIT, Stroke, extract_features, find_strokes

Colour = tuple[int, int, int]

_OVERSAMPLING: Final = 2
_MIN_CONTRAST: Final = 70.0


@dataclass(frozen=True, slots=True)
class Samples:
    features: NDArray[np.float32]
    labels: NDArray[np.intp]


def make_samples(fonts: Sequence[Path], cells: int, random: np.random.Generator) -> Samples:
    """Draw cells and split them into strokes."""
    all_strokes: list[Stroke] = []
    labels: list[int] = []
    for index in range(cells):
        number = int(random.integers(0, 100))
        cell = draw_cell(str(number), fonts[index % len(fonts)], random)
        strokes = find_strokes(cell)
        if len(strokes) == len(str(number)):
            all_strokes += strokes
            labels += [int(digit) for digit in str(number)]
        elif len(strokes) == 1 and _is_wide(strokes[0]):
            # Two touching digits.
            all_strokes += strokes
            labels.append(NO_DIGIT)
    return Samples(extract_features(all_strokes), np.array(labels, dtype=np.intp))


def _is_wide(stroke: Stroke) -> bool:
    height, width = stroke.ink.shape
    return bool(width > 0.85 * height)


def draw_cell(text: str, font: Path, random: np.random.Generator) -> NDArray[np.uint8]:
    """Draw a cell with a number, with random angle, size and sharpness."""
    side = CELL * _OVERSAMPLING
    tile, ink = _choose_colours(random)
    image = Image.new("RGB", (side, side), tile)
    draw = ImageDraw.Draw(image)
    font_face = ImageFont.truetype(str(font), random.uniform(0.36, 0.72) * side)
    middle = side / 2 + random.uniform(-0.06, 0.06, 2) * side
    stroke_width = int(random.choice((0, 0, 0, 1, 2)))
    draw.text(
        tuple(middle), text, ink, font_face, anchor="mm", stroke_width=stroke_width, stroke_fill=ink
    )
    return _distort(np.asarray(image), random)


def _choose_colours(random: np.random.Generator) -> tuple[Colour, Colour]:
    while True:
        tile, ink = random.integers(0, 256, (2, 3))
        if np.abs(tile - ink) @ (0.3, 0.6, 0.1) > _MIN_CONTRAST:
            return tuple(map(int, tile)), tuple(map(int, ink))  # type: ignore[return-value]


def _distort(image: NDArray[np.uint8], random: np.random.Generator) -> NDArray[np.uint8]:
    angle = np.deg2rad(random.normal(0, 3))
    slant, x_scale, y_scale = (
        random.normal(0, 0.08),
        random.uniform(0.82, 1.18),
        random.uniform(0.85, 1.1),
    )
    matrix = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    matrix = matrix @ np.array([(x_scale, slant), (0, y_scale)])
    middle = np.array(image.shape[1::-1]) / 2
    transform = np.column_stack((matrix, middle - matrix @ middle))
    picture = cv2.warpAffine(image, transform, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    # Cells that are small in a picture are blurred.
    small_side = int(random.uniform(26, CELL + 1)) if random.random() < 0.6 else CELL
    picture = cv2.resize(picture, (small_side, small_side), interpolation=cv2.INTER_AREA)
    noisy = picture + random.normal(0, random.uniform(0, 16), picture.shape)
    left, right = random.uniform(0.8, 1.0, 2).tolist()
    noisy = noisy * np.linspace(left, right, small_side)[None, :, None]
    picture = noisy.clip(0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(picture, (CELL, CELL), interpolation=cv2.INTER_LINEAR))
