"""The dynamic programming of a sweep, against an enumeration of all paths."""

import numpy as np
import pytest

from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels import sweeps as kernel
from tilework.core.solver.kernels.best_sweep import ONE
from tilework.core.solver.large.sweeps import gain_table

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def enumerate_best(cells, rows, columns, home, weight, price):
    """Return the greatest values of paths that visit no line twice, and no cell twice."""
    blank = int(np.flatnonzero(cells == home)[0])

    def gain(tile, target_cell, source_cell):
        """Return the gain of moving a tile from one cell to the other."""
        total = 0
        for cell, sign in ((target_cell, 1), (source_cell, -1)):
            offsets = abs(tile // columns - cell // columns), abs(tile % columns - cell % columns)
            total += sign * (weight[offsets[0]] + weight[offsets[1]])
        return total - price

    def walk(cell, visited, choices, value):
        best = value
        row, column = divmod(cell, columns)
        for choice in choices:
            to_row, to_column = row + STEPS[choice][0], column + STEPS[choice][1]
            target_cell = to_row * columns + to_column
            if 0 <= to_row < rows and 0 <= to_column < columns and target_cell not in visited:
                total = value + gain(int(cells[target_cell]), target_cell, cell)
                best = max(best, walk(target_cell, visited | {target_cell}, choices, total))
        return best

    directions = ((0, 2, 3), (1, 2, 3), (2, 0, 1), (3, 0, 1))
    best = max(walk(blank, {blank}, choices, 0) for choices in directions)
    return best, walk(blank, {blank}, range(4), 0)


@pytest.mark.parametrize("seed", range(8))
def test_sweep_is_at_least_as_good_as_the_best_path_across_lines(seed):
    random = np.random.default_rng(seed)
    rows, columns = random.integers(2, 5, 2).tolist()
    count = rows * columns
    cells = random.permutation(count).astype(np.int32)
    home = int(random.integers(count))
    power = float(random.choice([1.0, 1.5, 2.0]))
    price = int(random.integers(1, ONE))
    size = Size(columns, rows)
    gains = gain_table(size, power)
    middle = gains.size // 2
    weight = np.concatenate([[0], np.cumsum(gains[middle + 1 :].astype(np.int64))])

    def total_distance():
        misplaced = [(cell, tile) for cell, tile in enumerate(cells.tolist()) if tile != home]
        pairs = [(*divmod(cell, columns), *divmod(tile, columns)) for cell, tile in misplaced]
        return sum(weight[abs(up - down)] + weight[abs(a - b)] for up, a, down, b in pairs)

    initial = total_distance()
    minimum, maximum = enumerate_best(cells, rows, columns, home, weight, price)
    by_rows = np.empty(kernel.compute_gain_table_size(rows, columns), dtype=np.int16)
    by_columns = np.empty(kernel.compute_gain_table_size(columns, rows), dtype=np.int16)
    kernel.fill_gain_tables(cells, gains, by_rows, by_columns, rows, columns)
    settings = np.zeros(kernel.SETTINGS_SIZE, dtype=np.int64)
    settings[[kernel.MAX_PRICE, kernel.MIN_PRICE]] = price
    settings[[kernel.DROP, kernel.SHARE]] = 1, 256
    settings[[kernel.REACH, kernel.BAND, kernel.PASSES]] = 8, 8, 20
    state = np.zeros(kernel.STATE_SIZE, dtype=np.int64)
    state[kernel.BLANK] = np.flatnonzero(cells == home)[0]
    state[kernel.HOME] = home
    state[kernel.PRICE] = price
    out = np.empty(1 << 12, dtype=np.uint8)
    entry_values, values = np.empty((4, 9 * 16), dtype=np.int32), np.empty(16, dtype=np.int32)
    # A budget of one cell allows one sweep.
    choices = kernel.make_directions(rows, columns)
    arguments = (cells, gains, by_rows, by_columns, rows, columns, settings, state, 1)
    kernel.run_sweeps(*arguments, entry_values, values, choices, out)
    length = int(state[kernel.LENGTH])
    assert minimum <= initial - total_distance() - price * length <= maximum
    assert cells[state[kernel.BLANK]] == home
