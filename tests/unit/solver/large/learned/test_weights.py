"""The file of weights: what is read is what was written, or an error."""

from pathlib import Path

import numpy as np
import pytest

from tilework.core.solver.large.learned.weights import SHIPPED, WeightsError, load, save, shipped


def test_a_file_gives_the_potential_that_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "some.tlw"
    save(shipped(), path, {"seed": 1})
    again = load(path)
    assert again.distance == shipped().distance
    for name in ("steps", "blocks", "near"):
        assert np.array_equal(getattr(again, name), getattr(shipped(), name))


def test_the_shipped_file_is_small() -> None:
    assert SHIPPED.stat().st_size <= 100_000


@pytest.mark.parametrize("place", [5, 200, -1])
def test_a_changed_file_is_refused(tmp_path: Path, place: int) -> None:
    data = bytearray(SHIPPED.read_bytes())
    data[place] ^= 1
    path = tmp_path / "changed.tlw"
    path.write_bytes(data)
    with pytest.raises(WeightsError, match=r"changed\.tlw is not a file of weights"):
        load(path)


@pytest.mark.parametrize("data", [b"", b"{}\n", b"[]\n123", b'{"format": "x", "version": 1}\n'])
def test_other_files_are_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "other.tlw"
    path.write_bytes(data)
    with pytest.raises(WeightsError):
        load(path)
