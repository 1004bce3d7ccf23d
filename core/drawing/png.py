"""A PNG file of plain pixels: so little of the format that it needs no library."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import numpy.typing as npt

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS_OF_RGB = (8, 2, 0, 0, 0)


def png_of(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Return a PNG file.

    Parameters
    ----------
    pixels : array
        Rows by columns by red, green, blue.
    """
    height, width, _ = pixels.shape
    unfiltered = np.zeros((height, 1 + 3 * width), dtype=np.uint8)
    unfiltered[:, 1:] = pixels.reshape(height, 3 * width)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">II5B", width, height, *_EIGHT_BITS_OF_RGB)),
            _chunk(b"IDAT", zlib.compress(unfiltered.tobytes(), 6)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)
