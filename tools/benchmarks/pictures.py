"""The accuracy of the picture reader on drawn boards.

Boards of 3×3 to 6×6 are drawn in fonts that the reader was not trained with and in two colour
schemes, rotated by up to 5°, with perspective and noise. Digits are correct if their tile is read
correctly in its cell; if the grid is not found, no digit is correct. The blank counts as one digit.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.rendered_boards import count_correct_digits, load_fonts
from tools.benchmarks.harness.report import Figure, at_least, run


def measure(boards: int) -> Iterator[Figure]:
    fonts = load_fonts()
    counts = [count_correct_digits(seed, fonts) for seed in range(boards)]
    digits, correct, unmarked = (sum(column) for column in zip(*counts, strict=True))
    complete = sum(total == correct_count for total, correct_count, _ in counts)
    yield at_least(
        f"digits of {boards} drawn boards read correctly", 100 * correct / digits, "%", 95
    )
    yield Figure("misread digits that were not marked as doubtful", 100 * unmarked / digits, "%", 1)
    yield Figure("boards read without an error", complete, f"of {boards}")


if __name__ == "__main__":
    run("pictures", __doc__, {"": lambda o: measure(o.boards)}, boards=60)
