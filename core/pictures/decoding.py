"""Decodes picture files, after checking their headers."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from tilework.core.errors import PictureError
from tilework.core.pictures.reading import FORMATS, MAX_PIXELS

# Larger pictures are reduced to this side, in pixels; enough for 10×10 boards
MAX_SIDE: Final = 2_000

# `decode` checks `MAX_PIXELS` itself, so Pillow's own limit is not needed.
Image.MAX_IMAGE_PIXELS = None


@dataclass(frozen=True, slots=True)
class Pixels:
    """A picture, rotated as recorded by its camera."""

    colours: NDArray[np.uint8]  # red, green, blue; at most `MAX_SIDE` on a side
    # Of the original picture
    width: int
    height: int


def decode(data: bytes) -> Pixels:
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            if image.width * image.height > MAX_PIXELS:
                raise PictureError(
                    "picture-pixels",
                    "the picture has {width}×{height} pixels; use one of at most {max} million",
                    width=image.width,
                    height=image.height,
                    max=MAX_PIXELS // 1_000_000,
                )
            return _load_pixels(image)
    except UnidentifiedImageError:
        raise PictureError(
            "picture-format",
            "the file is not a readable picture; use a PNG, a JPEG or a WebP",
        ) from None
    # Damaged files can raise any of these, so all are reported as damage.
    except (OSError, ValueError, SyntaxError, ArithmeticError, LookupError, EOFError) as error:
        raise PictureError(
            "picture-damaged", "the picture is damaged and cannot be opened; use another one"
        ) from error


def _load_pixels(image: Image.Image) -> Pixels:
    is_rotated = image.getexif().get(0x0112, 1) in (5, 6, 7, 8)
    width, height = (image.height, image.width) if is_rotated else image.size
    # Decode a JPEG at half or a quarter of its size if that is enough.
    image.draft(None, (MAX_SIDE, MAX_SIDE))
    image.thumbnail((MAX_SIDE, MAX_SIDE))
    upright = ImageOps.exif_transpose(image)
    if upright.has_transparency_data:
        transparent = upright.convert("RGBA")
        upright = Image.alpha_composite(Image.new("RGBA", transparent.size, "white"), transparent)
    return Pixels(np.asarray(upright.convert("RGB")), width, height)
