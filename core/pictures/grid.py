"""The grid of a board: like shapes, in rows and columns.

From each shape on, neighbours of its size are sought where the last step leads, so that the pitch
may change slowly across the board as perspective wants it. What is found gets rows and columns,
and a homography from these to the picture gives the cells that have no outline, as the blank.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilework.core.pictures.cell_shapes import Shapes
from tilework.core.pictures.reading import LEAST_SIDE, MOST_SIDE

_ALIKE: Final = 0.24  # difference of the logarithms of two sides of cells
_ALIKE_ANGLE: Final = np.deg2rad(12)
_LEAST_PITCH: Final = 0.85
_LARGEST_PITCH: Final = 1.5
_OFF: Final = 0.3  # how far a neighbour may be from where it is expected, in sides
_LEAST_FOUND: Final = 0.55
_MOST_SEEDS: Final = 200
_MOST_ALIKE: Final = 250
_LEAST_FOR_PERSPECTIVE: Final = 8
_FEWEST: Final = 3  # of 2×2, with the blank for the fourth
_ALIKE_ANYWHERE: Final = 0.5
_OFF_THE_GRID: Final = 0.16
_ROUNDS: Final = 12
_SINGULAR: Final = 1e-9
_STEPS: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))


@dataclass(frozen=True, slots=True)
class Grid:
    rows: int
    columns: int
    # Homography: (column, row) to (x, y); the cell in the corner is from (0, 0) to (1, 1)
    to_picture: NDArray[np.float64]
    found: int  # cells that have an outline
    area: float  # in square pixels

    @property
    def worth(self) -> float:
        """What to try first: large grids of many cells with few gaps."""
        cells = self.rows * self.columns
        return float(self.area * cells**0.5 * (self.found / cells) ** 2)

    def corners(self) -> NDArray[np.float64]:
        """Return each cell's corners, clockwise from the upper left: shape (cells, 4, 2)."""
        rows, columns = np.divmod(np.arange(self.rows * self.columns), self.columns)
        around = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float64)
        places = np.stack((columns, rows), axis=1)[:, None, :] + around
        return _moved(places, self.to_picture)

    def scaled(self, factor: float) -> Grid:
        larger = np.diag((factor, factor, 1.0)) @ self.to_picture
        return Grid(self.rows, self.columns, larger, self.found, self.area * factor**2)


def find_grids(shapes: Shapes) -> list[Grid]:
    """Return grids of shapes, the most promising first."""
    grids: list[Grid] = []
    taken = np.zeros(len(shapes), dtype=bool)
    tried = 0
    for seed in range(len(shapes)):
        if taken[seed] or tried == _MOST_SEEDS:
            continue
        tried += 1
        alike = _alike(shapes, seed)
        places = _places(shapes, seed, alike)
        if (grid := _grid(shapes, places)) is not None:
            grids.append(grid)
            taken[list(places)] = True
    grids.sort(key=lambda grid: -grid.worth)
    return [grid for place, grid in enumerate(grids) if not _among(grid, grids[:place])]


def _among(grid: Grid, others: Iterable[Grid]) -> bool:
    """Say whether one of the others is the same grid, found from another shape."""
    corners = grid.corners()
    return any(
        (other.rows, other.columns) == (grid.rows, grid.columns)
        and np.abs(other.corners() - corners).max() < _OFF * (grid.area / len(corners)) ** 0.5
        for other in others
    )


def _alike(shapes: Shapes, seed: int) -> NDArray[np.intp]:
    """Return the shapes near one that are of its size and lie as it does."""
    size = np.abs(np.log(shapes.sides / shapes.sides[seed])).max(axis=1) < _ALIKE
    turn = np.abs(shapes.angles - shapes.angles[seed])
    turn = np.minimum(turn, np.pi / 2 - turn)
    alike = np.flatnonzero(size & (turn < _ALIKE_ANGLE))
    away = np.abs(shapes.centres[alike] - shapes.centres[seed]).max(axis=1)
    # A board has far fewer; a picture full of squares would take the square of their number.
    return np.asarray(alike[np.argsort(away, kind="stable")[:_MOST_ALIKE]])


def _places(shapes: Shapes, seed: int, alike: NDArray[np.intp]) -> dict[int, tuple[int, int]]:
    """Return row and column of each shape that steps lead to, from the seed's (0, 0)."""
    places = {seed: (0, 0)}
    steps = _first_steps(shapes, seed, alike)
    if steps is None:
        return places
    across, down = steps
    centres = shapes.centres[alike]
    reach = _OFF * float(shapes.sides[seed].mean())
    at = {(0, 0): seed}
    waiting = deque([(seed, across, down)])
    while waiting:
        shape, across, down = waiting.popleft()
        row, column = places[shape]
        for rows, columns in _STEPS:
            place = (row + rows, column + columns)
            if place in at or max(map(abs, place)) >= MOST_SIDE:
                continue
            expected = shapes.centres[shape] + rows * down + columns * across
            away = np.hypot(*(centres - expected).T)
            nearest = int(away.argmin())
            found = int(alike[nearest])
            if away[nearest] > reach or found in places:
                continue
            places[found] = place
            at[place] = found
            step = shapes.centres[found] - shapes.centres[shape]
            waiting.append(
                (
                    found,
                    (across + columns * step) / 2 if columns else across,
                    (down + rows * step) / 2 if rows else down,
                )
            )
    return places


def _first_steps(
    shapes: Shapes, seed: int, alike: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return the ways to the next cell across and down, as most pairs of neighbours have them."""
    centres = shapes.centres[alike]
    angle = shapes.angles[seed]
    axis = np.array((np.cos(angle), np.sin(angle)))
    normal = np.array((-axis[1], axis[0]))
    between = centres[None, :, :] - centres[:, None, :]
    along, off = between @ axis / shapes.sides[seed][0], between @ normal / shapes.sides[seed][1]
    steps = []
    for forward, aside in ((along, off), (off, along)):
        near = (forward > _LEAST_PITCH) & (forward < _LARGEST_PITCH) & (np.abs(aside) < _OFF)
        if not near.any():
            return None
        # Of each shape the nearest neighbour only.
        nearest = np.where(near, forward, np.inf).argmin(axis=1)
        has = near.any(axis=1)
        steps.append(np.median(between[has, nearest[has]], axis=0))
    return steps[0], steps[1]


def _grid(shapes: Shapes, places: dict[int, tuple[int, int]]) -> Grid | None:
    """Return the grid of the shapes at these places; None if they make none."""
    if len(places) < _FEWEST:
        return None
    grown = _grown(shapes, places)
    if grown is None:
        return None
    members, at, to_picture = grown
    first = at.min(axis=0)
    rows, columns = (int(side) for side in at.max(axis=0) - first + 1)
    if not (min(rows, columns) >= LEAST_SIDE and max(rows, columns) <= MOST_SIDE):
        return None
    if len(members) < max(_FEWEST, _LEAST_FOUND * rows * columns):
        return None
    shift = np.array([(1, 0, first[1]), (0, 1, first[0]), (0, 0, 1)], dtype=np.float64)
    to_picture = to_picture @ shift
    frame = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], dtype=np.float64)
    outline = _moved(frame, to_picture)
    area = float(cv2.contourArea(outline.astype(np.float32)))
    return Grid(rows, columns, to_picture, len(members), area)


def _grown(
    shapes: Shapes, places: dict[int, tuple[int, int]]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]] | None:
    """Take in what lies where the grid goes on, and give up edges that are mostly gaps."""
    members: NDArray[np.intp] = np.array(list(places), dtype=np.intp)
    at: NDArray[np.intp] = np.array(list(places.values()), dtype=np.intp)
    size = np.median(np.log(shapes.sides[members]), axis=0)
    alike = np.flatnonzero(np.abs(np.log(shapes.sides) - size).max(axis=1) < _ALIKE_ANYWHERE)
    to_picture = np.eye(3)
    for _ in range(_ROUNDS):
        kept = _without_loose_edges(at)
        members, at = members[kept], at[kept]
        if len(members) < _FEWEST or np.ptp(at, axis=0).min() == 0:
            return None
        fitted = _fitted(at[:, ::-1].astype(np.float64) + 0.5, shapes.centres[members])
        if fitted is None or abs(np.linalg.det(fitted)) < _SINGULAR:
            return None
        to_picture = fitted
        inside = _moved(shapes.centres[alike], _inverse(to_picture))[:, ::-1] - 0.5
        whole = np.rint(inside)
        off = np.abs(inside - whole).max(axis=1)
        near = (
            (off < _OFF_THE_GRID)
            & (whole >= at.min(axis=0) - 1).all(axis=1)
            & (whole <= at.max(axis=0) + 1).all(axis=1)
        )
        # At each place the shape that fits best.
        order = np.flatnonzero(near)[np.argsort(off[near], kind="stable")]
        found, first = np.unique(whole[order].astype(np.intp), axis=0, return_index=True)
        if np.array_equal(alike[order][first], members):
            break
        members, at = alike[order][first], np.asarray(found, dtype=np.intp)
    kept = _without_loose_edges(at)
    return np.asarray(members[kept]), np.asarray(at[kept]), to_picture


def _inverse(homography: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.inv(homography), dtype=np.float64)


def _without_loose_edges(at: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Say which places stay when outer rows and columns are cut that are less than half full."""
    kept = np.ones(len(at), dtype=bool)
    cut = True
    while cut and kept.any():
        cut = False
        spans = np.ptp(at[kept], axis=0) + 1
        for axis in (0, 1):
            for end in (at[kept, axis].min(), at[kept, axis].max()):
                edge = kept & (at[:, axis] == end)
                if edge.sum() < spans[1 - axis] / 2:
                    kept &= ~edge
                    cut = True
            if cut:
                break
    return kept


def _fitted(
    places: NDArray[np.float64], centres: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Fit the homography; few cells tell nothing of perspective, and get an affine map."""
    if len(places) >= _LEAST_FOR_PERSPECTIVE:
        found, _ = cv2.findHomography(places, centres, 0)
        return None if found is None else np.asarray(found, dtype=np.float64)
    known = np.column_stack((places, np.ones(len(places))))
    solved = np.linalg.lstsq(known, centres, rcond=None)[0]
    return np.vstack((solved.T, (0.0, 0.0, 1.0)))


def _moved(places: NDArray[np.float64], homography: NDArray[np.float64]) -> NDArray[np.float64]:
    at = np.concatenate((places, np.ones((*places.shape[:-1], 1))), axis=-1) @ homography.T
    moved: NDArray[np.float64] = at[..., :2] / at[..., 2:]
    return moved
