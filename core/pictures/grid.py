"""Finds grids of similar, nearly square shapes in a picture, which may be boards.

From a first shape, neighbours of similar size are found step by step. Each step predicts the next,
so the pitch can change gradually with the perspective. A homography from rows and columns to the
picture then locates cells without an outline, such as the blank.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilework.core.pictures.reading import MAX_SIDE, MIN_SIDE

SIDE: Final = 1_200  # pixels of the longer side of the searched picture
_MIN_CELL: Final = 14
_MAX_CELL_SHARE: Final = 0.62
_MAX_SHAPES: Final = 1_500
_MAX_ASPECT_RATIO: Final = 1.7
_MIN_FILL: Final = 0.72
_LOCAL_WINDOWS: Final = (15, 61)
_LOCAL_CONTRAST: Final = 4


@dataclass(frozen=True, slots=True)
class Shapes:
    centres: NDArray[np.float64]
    sides: NDArray[np.float64]  # along the axis closer to the horizontal, and along the other axis
    angles: NDArray[np.float64]  # of the first axis, in radians, between -π/4 and π/4

    def __len__(self) -> int:
        return len(self.angles)

    def select(self, mask: NDArray[np.bool_]) -> Shapes:
        return Shapes(self.centres[mask], self.sides[mask], self.angles[mask])


def find_shapes(colours: NDArray[np.uint8]) -> Shapes:
    rows = [row for mask in _make_masks(colours) for row in _find_squares(mask)]
    # Larger shapes first, because smaller ones may be digits on tiles.
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    table = _remove_duplicates(table[np.argsort(-table[:, 2] * table[:, 3], kind="stable")])
    return Shapes(table[:, :2], table[:, 2:4], table[:, 4])


def _make_masks(colours: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    smooth = cv2.GaussianBlur(colours, (5, 5), 0)
    grey = cv2.cvtColor(smooth, cv2.COLOR_RGB2GRAY)
    modes = (cv2.THRESH_BINARY, cv2.THRESH_BINARY_INV)
    for mode in modes:
        yield _as_bytes(cv2.threshold(grey, 0, 255, mode | cv2.THRESH_OTSU)[1])
        for window in _LOCAL_WINDOWS:
            mean = cv2.ADAPTIVE_THRESH_MEAN_C
            yield _as_bytes(cv2.adaptiveThreshold(grey, 255, mean, mode, window, _LOCAL_CONTRAST))
    # Tiles as bright as their surroundings differ in colour.
    edges = np.zeros(grey.shape, dtype=np.uint8)
    for channel in cv2.split(smooth):
        edges |= _as_bytes(cv2.Canny(channel, 25, 60))
    for width in (3, 5):
        yield _as_bytes(cv2.dilate(edges, np.ones((width, width), np.uint8)))


def _as_bytes(image: object) -> NDArray[np.uint8]:
    return np.asarray(image, dtype=np.uint8)


def _find_squares(mask: NDArray[np.uint8]) -> Iterator[tuple[float, ...]]:
    """Yield the centre, sides and angle of each nearly square outline."""
    max_side = _MAX_CELL_SHARE * min(mask.shape)
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        box = cv2.boundingRect(outline)[2:]
        if min(box) < _MIN_CELL or max(box) > 1.2 * max_side:
            continue
        (x, y), (width, height), degrees = cv2.minAreaRect(outline)
        if not _MIN_CELL <= min(width, height) <= max(width, height) <= max_side:
            continue
        if max(width, height) > _MAX_ASPECT_RATIO * min(width, height):
            continue
        # Digits that touch the edge cut into the outline, but not into its hull.
        if cv2.contourArea(cv2.convexHull(outline)) < _MIN_FILL * width * height:
            continue
        degrees %= 180
        if 45 < degrees <= 135:
            width, height, degrees = height, width, degrees - 90
        elif degrees > 135:
            degrees -= 180
        yield x, y, width, height, np.deg2rad(degrees)


def _remove_duplicates(table: NDArray[np.float64]) -> NDArray[np.float64]:
    unique = np.empty((0, 5))
    for row in table:
        side = max(row[2], row[3])
        is_near = np.abs(unique[:, :2] - row[:2]).max(axis=1, initial=0.0) < 0.12 * side
        is_similar = np.abs(np.log(unique[:, 2:4] / row[2:4])).max(axis=1, initial=0.0) < 0.12
        if not (is_near & is_similar).any():
            unique = np.vstack((unique, row))
            if len(unique) == _MAX_SHAPES:
                break
    return unique


_SIMILAR_SIZE: Final = 0.24  # maximum difference of the logarithms of two sides
_SIMILAR_ANGLE: Final = np.deg2rad(12)
_MIN_PITCH: Final = 0.85
_MAX_PITCH: Final = 1.5
_MAX_OFFSET: Final = 0.3  # distance of a neighbour from its expected position, in sides
_MIN_OUTLINE_SHARE: Final = 0.55
_MAX_SEEDS: Final = 200
_MAX_SIMILAR: Final = 250
_MIN_FOR_PERSPECTIVE: Final = 8
_MIN_SHAPES: Final = 3  # a 2×2 board without the blank
_SIMILAR_IN_GRID: Final = 0.5
_MAX_OFFSET_FROM_GRID: Final = 0.16
_ROUNDS: Final = 12
_SINGULAR: Final = 1e-9
_STEPS: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))


@dataclass(frozen=True, slots=True)
class Grid:
    rows: int
    columns: int
    # Homography: (column, row) to (x, y); the first cell is from (0, 0) to (1, 1)
    to_picture: NDArray[np.float64]
    outline_count: int  # number of cells with an outline
    area: float  # in square pixels

    @property
    def score(self) -> float:
        """High for large grids with many cells and few gaps."""
        cells = self.rows * self.columns
        return float(self.area * cells**0.5 * (self.outline_count / cells) ** 2)

    def corners(self) -> NDArray[np.float64]:
        """Return the corners of each cell, clockwise from the upper left: shape (cells, 4, 2)."""
        rows, columns = np.divmod(np.arange(self.rows * self.columns), self.columns)
        offsets = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float64)
        points = np.stack((columns, rows), axis=1)[:, None, :] + offsets
        return _project(points, self.to_picture)

    def scale(self, factor: float) -> Grid:
        larger = np.diag((factor, factor, 1.0)) @ self.to_picture
        return Grid(self.rows, self.columns, larger, self.outline_count, self.area * factor**2)


def find_grids(shapes: Shapes) -> list[Grid]:
    """Return grids of shapes, the most promising first."""
    grids: list[Grid] = []
    used = np.zeros(len(shapes), dtype=bool)
    seeds = 0
    for seed in range(len(shapes)):
        if used[seed] or seeds == _MAX_SEEDS:
            continue
        seeds += 1
        similar = _find_similar(shapes, seed)
        positions = _walk_grid(shapes, seed, similar)
        if (grid := _make_grid(shapes, positions)) is not None:
            grids.append(grid)
            used[list(positions)] = True
    grids.sort(key=lambda grid: -grid.score)
    return [grid for index, grid in enumerate(grids) if not _is_duplicate(grid, grids[:index])]


def _is_duplicate(grid: Grid, others: Iterable[Grid]) -> bool:
    """Whether the same grid was already found from another shape."""
    corners = grid.corners()
    return any(
        (other.rows, other.columns) == (grid.rows, grid.columns)
        and np.abs(other.corners() - corners).max()
        < _MAX_OFFSET * (grid.area / len(corners)) ** 0.5
        for other in others
    )


def _find_similar(shapes: Shapes, seed: int) -> NDArray[np.intp]:
    """Return the nearest shapes of similar size and orientation."""
    has_similar_size = np.abs(np.log(shapes.sides / shapes.sides[seed])).max(axis=1) < _SIMILAR_SIZE
    rotation = np.abs(shapes.angles - shapes.angles[seed])
    rotation = np.minimum(rotation, np.pi / 2 - rotation)
    similar = np.flatnonzero(has_similar_size & (rotation < _SIMILAR_ANGLE))
    distances = np.abs(shapes.centres[similar] - shapes.centres[seed]).max(axis=1)
    # The limit avoids quadratic time for pictures full of squares.
    return np.asarray(similar[np.argsort(distances, kind="stable")[:_MAX_SIMILAR]])


def _walk_grid(shapes: Shapes, seed: int, similar: NDArray[np.intp]) -> dict[int, tuple[int, int]]:
    """Return the row and column of each reachable shape, relative to the seed."""
    positions = {seed: (0, 0)}
    steps = _estimate_steps(shapes, seed, similar)
    if steps is None:
        return positions
    across, down = steps
    centres = shapes.centres[similar]
    max_offset = _MAX_OFFSET * float(shapes.sides[seed].mean())
    occupied = {(0, 0)}
    queue = deque([(seed, across, down)])
    while queue:
        shape, across, down = queue.popleft()
        row, column = positions[shape]
        for rows, columns in _STEPS:
            position = (row + rows, column + columns)
            if position in occupied or max(map(abs, position)) >= MAX_SIDE:
                continue
            expected = shapes.centres[shape] + rows * down + columns * across
            offsets = np.hypot(*(centres - expected).T)
            nearest = int(offsets.argmin())
            neighbor = int(similar[nearest])
            if offsets[nearest] > max_offset or neighbor in positions:
                continue
            positions[neighbor] = position
            occupied.add(position)
            step = shapes.centres[neighbor] - shapes.centres[shape]
            queue.append(
                (
                    neighbor,
                    (across + columns * step) / 2 if columns else across,
                    (down + rows * step) / 2 if rows else down,
                )
            )
    return positions


def _estimate_steps(
    shapes: Shapes, seed: int, similar: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return the median steps to the next cell across and down."""
    centres = shapes.centres[similar]
    angle = shapes.angles[seed]
    axis = np.array((np.cos(angle), np.sin(angle)))
    normal = np.array((-axis[1], axis[0]))
    vectors = centres[None, :, :] - centres[:, None, :]
    along, off = vectors @ axis / shapes.sides[seed][0], vectors @ normal / shapes.sides[seed][1]
    steps = []
    for forward, aside in ((along, off), (off, along)):
        is_near = (forward > _MIN_PITCH) & (forward < _MAX_PITCH) & (np.abs(aside) < _MAX_OFFSET)
        if not is_near.any():
            return None
        # Only the nearest neighbour of each shape.
        nearest = np.where(is_near, forward, np.inf).argmin(axis=1)
        has_neighbor = is_near.any(axis=1)
        steps.append(np.median(vectors[has_neighbor, nearest[has_neighbor]], axis=0))
    return steps[0], steps[1]


def _make_grid(shapes: Shapes, seeds: dict[int, tuple[int, int]]) -> Grid | None:
    """Return the grid of the shapes at these positions, or None."""
    if len(seeds) < _MIN_SHAPES:
        return None
    refined = _refine(shapes, seeds)
    if refined is None:
        return None
    members, positions, to_picture = refined
    first = positions.min(axis=0)
    rows, columns = (int(side) for side in positions.max(axis=0) - first + 1)
    if not (min(rows, columns) >= MIN_SIDE and max(rows, columns) <= MAX_SIDE):
        return None
    if len(members) < max(_MIN_SHAPES, _MIN_OUTLINE_SHARE * rows * columns):
        return None
    shift = np.array([(1, 0, first[1]), (0, 1, first[0]), (0, 0, 1)], dtype=np.float64)
    to_picture = to_picture @ shift
    frame = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], dtype=np.float64)
    outline = _project(frame, to_picture)
    area = float(cv2.contourArea(outline.astype(np.float32)))
    return Grid(rows, columns, to_picture, len(members), area)


def _refine(
    shapes: Shapes, seeds: dict[int, tuple[int, int]]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]] | None:
    """Add shapes that fit the grid, and remove edges that are mostly gaps."""
    members: NDArray[np.intp] = np.array(list(seeds), dtype=np.intp)
    positions: NDArray[np.intp] = np.array(list(seeds.values()), dtype=np.intp)
    size = np.median(np.log(shapes.sides[members]), axis=0)
    similar = np.flatnonzero(np.abs(np.log(shapes.sides) - size).max(axis=1) < _SIMILAR_IN_GRID)
    to_picture = np.eye(3)
    for _ in range(_ROUNDS):
        mask = _drop_sparse_edges(positions)
        members, positions = members[mask], positions[mask]
        if len(members) < _MIN_SHAPES or np.ptp(positions, axis=0).min() == 0:
            return None
        fitted = _fit_homography(
            positions[:, ::-1].astype(np.float64) + 0.5, shapes.centres[members]
        )
        if fitted is None or abs(np.linalg.det(fitted)) < _SINGULAR:
            return None
        to_picture = fitted
        coordinates = _project(shapes.centres[similar], _invert(to_picture))[:, ::-1] - 0.5
        rounded = np.rint(coordinates)
        offsets = np.abs(coordinates - rounded).max(axis=1)
        is_near = (
            (offsets < _MAX_OFFSET_FROM_GRID)
            & (rounded >= positions.min(axis=0) - 1).all(axis=1)
            & (rounded <= positions.max(axis=0) + 1).all(axis=1)
        )
        # Choose the best shape for each position.
        order = np.flatnonzero(is_near)[np.argsort(offsets[is_near], kind="stable")]
        unique, first = np.unique(rounded[order].astype(np.intp), axis=0, return_index=True)
        if np.array_equal(similar[order][first], members):
            break
        members, positions = similar[order][first], np.asarray(unique, dtype=np.intp)
    mask = _drop_sparse_edges(positions)
    return np.asarray(members[mask]), np.asarray(positions[mask]), to_picture


def _invert(homography: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.inv(homography), dtype=np.float64)


def _drop_sparse_edges(positions: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return the mask of the positions that remain without edges that are less than half full."""
    mask = np.ones(len(positions), dtype=bool)
    has_removed = True
    while has_removed and mask.any():
        has_removed = False
        spans = np.ptp(positions[mask], axis=0) + 1
        for axis in (0, 1):
            for end in (positions[mask, axis].min(), positions[mask, axis].max()):
                edge = mask & (positions[:, axis] == end)
                if edge.sum() < spans[1 - axis] / 2:
                    mask &= ~edge
                    has_removed = True
            if has_removed:
                break
    return mask


def _fit_homography(
    points: NDArray[np.float64], centres: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Fit a homography, or an affine map if there are too few cells."""
    if len(points) >= _MIN_FOR_PERSPECTIVE:
        homography, _ = cv2.findHomography(points, centres, 0)
        return None if homography is None else np.asarray(homography, dtype=np.float64)
    homogeneous = np.column_stack((points, np.ones(len(points))))
    affine = np.linalg.lstsq(homogeneous, centres, rcond=None)[0]
    return np.vstack((affine.T, (0.0, 0.0, 1.0)))


def _project(points: NDArray[np.float64], homography: NDArray[np.float64]) -> NDArray[np.float64]:
    images = np.concatenate((points, np.ones((*points.shape[:-1], 1))), axis=-1) @ homography.T
    projected: NDArray[np.float64] = images[..., :2] / images[..., 2:]
    return projected
