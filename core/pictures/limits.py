"""What a picture may be and may take, for whoever sends one, and for the process that reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FORMATS: Final = ("PNG", "JPEG", "WEBP")

MOST_BYTES: Final = 10_000_000
"""Of the file."""

MOST_PIXELS: Final = 24_000_000
"""What its header may promise: a photograph of a good camera."""

LEAST_SIDE: Final = 2
MOST_SIDE: Final = 10
"""Rows and columns of the boards that are looked for."""

PROCESSOR_SECONDS: Final = 10
"""For one picture; it takes about one."""

SECONDS: Final = 30.0
"""From the start of the process to its end, however busy the machine is."""

MEMORY_BYTES: Final = 1_500_000_000
"""Of addresses: the libraries take more than half of them, and use little of it."""

_BEGINNINGS: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF")


def is_picture(path: Path) -> bool:
    """Say whether a file begins as a picture does."""
    with path.open("rb") as file:
        return file.read(8).startswith(_BEGINNINGS)
