"""Pixels out of a picture file, whose header is judged before anything of it is unpacked."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from tilework.core.errors import PictureError
from tilework.core.pictures.reading import FORMATS, MOST_PIXELS

# Pixels to which a larger picture is shrunk; of a board of 10×10 each cell still has many
LONGEST_SIDE: Final = 2_000

# A header that promises more than `MOST_PIXELS` is refused below, with a sentence of our own.
Image.MAX_IMAGE_PIXELS = None


@dataclass(frozen=True, slots=True)
class Pixels:
    """A picture as people see it: turned as its camera was held."""

    colours: NDArray[np.uint8]  # red, green, blue; at most `LONGEST_SIDE` on a side
    # Of the picture as it was given
    width: int
    height: int


def decode(data: bytes) -> Pixels:
    """Unpack a picture."""
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                raise PictureError(
                    "picture-pixels",
                    "the picture has {width}×{height} pixels; give one of at most {most} million",
                    width=image.width,
                    height=image.height,
                    most=MOST_PIXELS // 1_000_000,
                )
            return _unpacked(image)
    except UnidentifiedImageError:
        raise PictureError(
            "picture-format",
            "the file is not a readable picture; give a PNG, a JPEG or a WebP",
        ) from None
    # What damaged files raise is no smaller set: zlib's errors, struct's, plain ValueErrors …
    except (OSError, ValueError, SyntaxError, ArithmeticError, LookupError, EOFError) as error:
        raise PictureError(
            "picture-damaged", "the picture is damaged and cannot be opened; give another one"
        ) from error


def _unpacked(image: Image.Image) -> Pixels:
    turned = image.getexif().get(0x0112, 1) in (5, 6, 7, 8)
    width, height = (image.height, image.width) if turned else image.size
    # A JPEG is unpacked at a half or a quarter of its size where that is enough.
    image.draft(None, (LONGEST_SIDE, LONGEST_SIDE))
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    upright = ImageOps.exif_transpose(image)
    if upright.has_transparency_data:
        seen = upright.convert("RGBA")
        upright = Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen)
    return Pixels(np.asarray(upright.convert("RGB")), width, height)
