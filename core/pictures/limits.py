"""What a picture may be and may take, for whoever sends one, and for the process that reads it."""

from __future__ import annotations

from typing import Final

FORMATS: Final = ("PNG", "JPEG", "WEBP")

MOST_BYTES: Final = 10_000_000
"""Of the file."""

MOST_PIXELS: Final = 24_000_000
"""What its header may promise: a photograph of a good camera."""

LEAST_SIDE: Final = 2
MOST_SIDE: Final = 10
"""Rows and columns of the boards that are looked for."""

SECONDS: Final = 15.0
"""For one picture, from the start of the process to its end; one takes about a second."""

MEMORY_BYTES: Final = 1_500_000_000
"""Of addresses: the libraries take more than half of them, and use little of it."""
