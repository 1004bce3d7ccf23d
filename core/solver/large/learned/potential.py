"""The learned potential: tables that serve boards of any size and any goal."""

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
from tilework.core.solver.kernels.learned.potential import NEAR, SCALE
from tilework.core.solver.large.learned.layout import Layout, block_classes

Table = NDArray[np.int16]


@dataclass(frozen=True, slots=True, eq=False)
class Potential:
    """What stands for the moves left, in 1/`SCALE` moves; its differences are about right."""

    distance: float  # moves for each step of a tile's distance
    # Moves besides, by the rows and columns that a tile has to go; from n - 1 on all are alike
    steps: NDArray[np.float64]
    blocks: Table  # by the codes of four cells: upper left, upper right, lower left, lower right
    near: Table  # by the sum of the distances and the blank's own

    def unary(self, layout: Layout) -> NDArray[np.int32]:
        """Return the part of each tile by itself, by label and cell."""
        down, right = np.abs(layout.down), np.abs(layout.right)
        last = self.steps.shape[0] - 1
        besides = self.steps[np.minimum(down, last), np.minimum(right, last)]
        unary: NDArray[np.int32] = np.rint((self.distance * layout.steps + besides) * SCALE).astype(
            np.int32
        )
        return unary


SHIPPED = Path(__file__).with_name("weights.tlw")

_FORMAT = "tilework-potential"
_VERSION = 1
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 1, "pb": 1}]


class WeightsError(TileworkError):
    """A file of weights that cannot be used."""


def save(potential: Potential, path: Path, about: dict[str, object]) -> None:
    blocks = potential.blocks[block_classes().examples]
    values = np.concatenate([blocks, potential.near.ravel()]).astype("<i2")
    packed = lzma.compress(values.tobytes(), lzma.FORMAT_RAW, filters=_FILTERS)
    header = {
        "format": _FORMAT,
        "version": _VERSION,
        "sha256": hashlib.sha256(packed).hexdigest(),
        "distance": round(potential.distance, 4),
        "steps": [[round(float(one), 4) for one in row] for row in potential.steps],
        "about": about,
    }
    path.write_bytes(json.dumps(header).encode() + b"\n" + packed)


def load(path: Path) -> Potential:
    """Read a potential."""
    line, _, packed = path.read_bytes().partition(b"\n")
    try:
        header = json.loads(line)
        known = (header["format"], header["version"]) == (_FORMAT, _VERSION)
        if not known or header["sha256"] != hashlib.sha256(packed).hexdigest():
            raise ValueError
        raw = lzma.decompress(packed, lzma.FORMAT_RAW, filters=_FILTERS)
        values = np.frombuffer(raw, dtype="<i2").astype(np.int16)
        classes = block_classes()
        count = classes.examples.size
        return Potential(
            header["distance"],
            np.array(header["steps"], dtype=np.float64),
            values[:count][classes.of_block],
            values[count:].reshape(NEAR, NEAR).copy(),
        )
    except (KeyError, TypeError, ValueError, lzma.LZMAError) as error:
        raise WeightsError(
            "weights", "{name} is not a file of weights, or was changed", name=path.name
        ) from error


@lru_cache(maxsize=1)
def shipped() -> Potential:
    return load(SHIPPED)
