"""The file of a learned potential: small, with a version and a checksum."""

from __future__ import annotations

import hashlib
import json
import lzma
from functools import lru_cache
from pathlib import Path

import numpy as np

from tilework.core.errors import TileworkError
from tilework.core.solver.kernels.learned.potential import NEAR
from tilework.core.solver.large.learned.block_classes import block_classes
from tilework.core.solver.large.learned.potential import Potential

SHIPPED = Path(__file__).with_name("weights.tlw")

_FORMAT = "tilework-potential"
_VERSION = 1
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 1, "pb": 1}]


class WeightsError(TileworkError):
    """A file of weights that cannot be used."""


def save(potential: Potential, path: Path, about: dict[str, object]) -> None:
    """Write a potential; ``about`` says how it was made."""
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
    """Read a potential.

    Raises
    ------
    WeightsError
        For a file of another format or version, or one that was changed.
    """
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
    """Return the potential that comes with the program."""
    return load(SHIPPED)
