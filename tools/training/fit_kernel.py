"""Sums over rows of boards; the arrays are the fields of `rows.Rows`."""

from __future__ import annotations

import numba

from tilework.core.solver.kernels.potential import NEAR

_compiled = numba.njit(nogil=True)


@_compiled
def compute_values(row_blocks, row_steps, distances, blank_distances, tables, out):
    """Store the potential of each row in `out`; the tables are those of `Tables.arrays`."""
    weight, steps, blocks, near = tables
    for row in range(row_blocks.shape[0]):
        total = weight[0] * distances[row]
        for cell in range(row_steps.shape[1]):
            total += steps[row_steps[row, cell]]
        for block in range(row_blocks.shape[1]):
            total += blocks[row_blocks[row, block]]
        if distances[row] < NEAR:
            total += near[distances[row] * NEAR + min(blank_distances[row], NEAR - 1)]
        out[row] = total


@_compiled
def add_to_entries(row_blocks, row_steps, distances, blank_distances, errors, tables):
    """Add each row's error to the entries of the tables that its potential uses."""
    weight, steps, blocks, near = tables
    for row in range(row_blocks.shape[0]):
        error = errors[row]
        weight[0] += error * distances[row]
        for cell in range(row_steps.shape[1]):
            steps[row_steps[row, cell]] += error
        for block in range(row_blocks.shape[1]):
            blocks[row_blocks[row, block]] += error
        if distances[row] < NEAR:
            near[distances[row] * NEAR + min(blank_distances[row], NEAR - 1)] += error


@_compiled
def centre(values, groups):
    """Subtract the mean of its group from each value; group i is groups[i]:groups[i + 1]."""
    for group in range(groups.size - 1):
        mean = values[groups[group] : groups[group + 1]].mean()
        for row in range(groups[group], groups[group + 1]):
            values[row] -= mean
