"""The learned potential: tables for boards of any size and any goal."""

from __future__ import annotations

import hashlib
import json
import lzma
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import TileworkError
from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.solver.kernels.potential import (
    CODES,
    NEAR,
    SCALE,
    canonical_blocks,
)

Table = NDArray[np.int16]
_FAR_STEP = 0.02  # largest term of a tile that is one step away
_FAR_SIDE = 62.0  # largest term of a tile that is as far away as the longer side
BORDER = 1  # rows and columns of border on each side
Labels = NDArray[np.uint16]


def far_terms(size: Size) -> NDArray[np.float64]:
    """Return what a tile's distance along an axis adds to its term, in moves.

    Without it, single tiles remain far from their goals until the end, where each of their steps
    costs several moves.
    """
    side = max(size)
    return min(_FAR_STEP, _FAR_SIDE / side**3) * np.arange(side, dtype=np.float64) ** 3


class Layout:
    """Tables shared by all boards of one size.

    Cells have *positions* in a grid with a border, in which neighbouring rows share their borders.
    Tiles are numbered by the positions of their goal cells. The number of a tile's *displacement*
    is ``homes[tile] - offsets[position]``.
    """

    def __init__(self, size: Size) -> None:
        width, height = size
        self.size = size
        self.pitch = width + BORDER  # from a position to the one below
        self.position_count = (height + 2 * BORDER) * self.pitch + BORDER
        rows, columns = np.divmod(np.arange(size.cells, dtype=np.int32), width)
        self.positions = ((rows + BORDER) * self.pitch + columns + BORDER).astype(np.int32)
        self.border = np.ones(self.position_count, dtype=np.uint8)
        self.border[self.positions] = 0
        across = 2 * width - 1  # numbers of columns to go, to both sides
        largest = (height - 1) * across + width - 1
        self.offsets = np.zeros(self.position_count, dtype=np.int32)
        self.offsets[self.positions] = rows * across + columns
        self.homes = self.offsets + np.int32(largest)
        # By displacement: the rows and columns to the goal cell, the number of steps, and the class
        down, right = np.divmod(np.arange(2 * largest + 1), across)
        self.down = (down - (height - 1)).astype(np.int16)
        self.right = (right - (width - 1)).astype(np.int16)
        self.steps = (np.abs(self.down) + np.abs(self.right)).astype(np.uint16)
        self.codes = displacement_class(self.down, self.right)

    def displacements(self, labels: Labels) -> NDArray[np.int32]:
        """Return the number of each tile's displacement, by cell; boards may be rows."""
        numbers: NDArray[np.int32] = self.homes[self.positions[labels]]
        return numbers - self.offsets[self.positions]


@lru_cache(maxsize=32)
def get_layout(size: Size) -> Layout:
    """Return the cached layout for a size."""
    return Layout(size)


def label_tiles(board: Board, goal: Board) -> Labels:
    """Label the tiles of a board by their goal cells."""
    return inverse(goal.cells)[board.cells].astype(np.uint16)


def displacement_class(down: NDArray[np.int16], right: NDArray[np.int16]) -> NDArray[np.uint8]:
    """Return the class, 0 to 24, of a displacement by row and column.

    It depends on both directions, and on whether each distance is 0, 1 to 2, or more steps.
    """

    def level(signed_steps: NDArray[np.int16]) -> NDArray[np.int16]:
        steps = np.abs(signed_steps)
        return np.sign(signed_steps) * ((steps > 0).astype(np.int16) + (steps > 2))

    return ((level(down) + 2) * 5 + level(right) + 2).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class BlockClasses:
    by_block: NDArray[np.int32]  # class of each block
    representatives: NDArray[np.int64]  # the smallest block of each class, in increasing order


@lru_cache(maxsize=1)
def block_classes() -> BlockClasses:
    """Return the classes of blocks; the first call computes them in about 20 ms."""
    canonical = np.empty(CODES**4, dtype=np.int32)
    canonical_blocks(canonical)
    is_representative = canonical == np.arange(canonical.size)
    numbers = np.cumsum(is_representative, dtype=np.int32) - 1
    return BlockClasses(numbers[canonical], np.flatnonzero(is_representative))


@dataclass(frozen=True, slots=True, eq=False)
class Potential:
    """An estimate of the remaining moves, used to compare boards, in units of 1/`SCALE` moves."""

    distance: float  # moves per step of a tile's Manhattan distance
    # By a tile's row and column distance, each capped at the last index of the table
    extra_moves: NDArray[np.float64]
    blocks: Table  # by the codes of four cells: upper left, upper right, lower left, lower right
    near: Table  # by the sum of the tiles' distances, and the blank's distance

    def compute_distance_term(
        self, down: NDArray[np.signedinteger], right: NDArray[np.signedinteger]
    ) -> NDArray[np.float64]:
        """Return the term of a tile, in moves, from its row and column distance."""
        last = self.extra_moves.shape[0] - 1
        additional = self.extra_moves[np.minimum(down, last), np.minimum(right, last)]
        terms: NDArray[np.float64] = self.distance * (down + right) + additional
        return terms

    def unary_terms(self, layout: Layout) -> NDArray[np.int32]:
        """Return the term of a tile by its displacement."""
        down, right = np.abs(layout.down), np.abs(layout.right)
        far = far_terms(layout.size)
        terms = self.compute_distance_term(down, right) + far[down] + far[right]
        scaled: NDArray[np.int32] = np.rint(terms * SCALE).astype(np.int32)
        return scaled


WEIGHTS_FILE = Path(__file__).with_name("weights.tlw")

_FORMAT = "tilework-potential"
_VERSION = 1
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 1, "pb": 1}]


class WeightsError(TileworkError):
    """An invalid weights file."""


def save(potential: Potential, path: Path, about: dict[str, object]) -> None:
    blocks = potential.blocks[block_classes().representatives]
    values = np.concatenate([blocks, potential.near.ravel()]).astype("<i2")
    packed = lzma.compress(values.tobytes(), lzma.FORMAT_RAW, filters=_FILTERS)
    header = {
        "format": _FORMAT,
        "version": _VERSION,
        "sha256": hashlib.sha256(packed).hexdigest(),
        "distance": round(potential.distance, 4),
        "steps": [[round(float(value), 4) for value in row] for row in potential.extra_moves],
        "about": about,
    }
    path.write_bytes(json.dumps(header).encode() + b"\n" + packed)


def load(path: Path) -> Potential:
    line, _, packed = path.read_bytes().partition(b"\n")
    try:
        header = json.loads(line)
        is_supported = (header["format"], header["version"]) == (_FORMAT, _VERSION)
        if not is_supported or header["sha256"] != hashlib.sha256(packed).hexdigest():
            raise ValueError
        raw = lzma.decompress(packed, lzma.FORMAT_RAW, filters=_FILTERS)
        values = np.frombuffer(raw, dtype="<i2").astype(np.int16)
        classes = block_classes()
        count = classes.representatives.size
        return Potential(
            header["distance"],
            np.array(header["steps"], dtype=np.float64),
            values[:count][classes.by_block],
            values[count:].reshape(NEAR, NEAR).copy(),
        )
    except (KeyError, TypeError, ValueError, lzma.LZMAError) as error:
        raise WeightsError(
            "weights", "{name} is not a weights file, or has been modified", name=path.name
        ) from error


@lru_cache(maxsize=1)
def default_potential() -> Potential:
    return load(WEIGHTS_FILE)
