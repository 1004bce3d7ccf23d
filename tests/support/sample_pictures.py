"""Pictures of boards in a font that the reader was not trained with."""

import numpy as np
from PIL import ImageFont

from tests.support.rendered_boards import SCHEMES, Look, draw_board, encode_image

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
