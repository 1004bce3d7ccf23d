"""The accuracy of the picture reader on drawn boards.

Boards of 3×3 to 6×6, in fonts that the reader was not trained with and in two colour schemes,
rotated by up to 5°, with perspective and noise. A digit is correct if its tile is, in its cell; if
the grid is not found, none is. The blank counts as one digit.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.rendered_boards import count_correct_digits, load_fonts
from tools.benchmarks.harness.report import Figure, at_least, run


def measure(boards: int) -> Iterator[Figure]:
    types = load_fonts()
    counts = [count_correct_digits(seed, types) for seed in range(boards)]
    digits, right, unmarked = (sum(column) for column in zip(*counts, strict=True))
    whole = sum(all_digits == read for all_digits, read, _ in counts)
    yield at_least(f"digits of {boards} drawn boards read correctly", 100 * right / digits, "%", 95)
    yield Figure("misread digits that were not marked as doubtful", 100 * unmarked / digits, "%", 1)
    yield Figure("boards read without an error", whole, f"of {boards}")


if __name__ == "__main__":
    run("pictures", __doc__, {"": lambda o: measure(o.boards)}, boards=60)
