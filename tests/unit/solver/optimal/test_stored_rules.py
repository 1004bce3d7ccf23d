from pathlib import Path

import numpy as np
import pytest

from tilework.core.puzzle.board import Size
from tilework.core.solver.optimal.move_pruning import load_rules, pruning_rules

SIZE, LENGTH = Size(2, 5), 14


@pytest.fixture(autouse=True)
def forget_rules():
    load_rules.cache_clear()


@pytest.mark.parametrize("damage", [b"", bytes(16), None], ids=repr)
def test_damaged_rules_are_built_again(tmp_path: Path, damage: bytes | None) -> None:
    expected = pruning_rules(SIZE, LENGTH)
    load_rules(SIZE, LENGTH, tmp_path / "databases")
    [file] = (tmp_path / "databases").iterdir()
    stored = file.read_bytes()
    middle = len(stored) // 2
    changed = stored[:middle] + bytes([stored[middle] ^ 1]) + stored[middle + 1 :]
    file.write_bytes(changed if damage is None else damage)
    for _ in range(2):
        load_rules.cache_clear()
        rules = load_rules(SIZE, LENGTH, tmp_path / "databases")
        assert np.array_equal(rules.roots, expected.roots)
        assert np.array_equal(rules.transitions, expected.transitions)
        assert file.read_bytes() == stored


def test_stored_rules_are_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_rules(SIZE, LENGTH, tmp_path)
    load_rules.cache_clear()
    monkeypatch.delattr("tilework.core.solver.optimal.move_pruning.pruning_rules")
    second = load_rules(SIZE, LENGTH, tmp_path)
    assert np.array_equal(first.transitions, second.transitions)


def test_rules_need_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert load_rules(SIZE, LENGTH, tmp_path / "file").length == LENGTH
