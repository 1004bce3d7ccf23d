"""``tilework pdb`` in a temporary folder, with the smallest databases."""

from pathlib import Path

import pytest

from tests.support.cli.runner import Run
from tests.support.damage import overwrite
from tilework.core.settings import get_settings

NAME = "3x2-5"
DEFAULTS = ["4x4-6-6-3", "4x4-7-8", "5x5-5-5-5-5-4", "5x5-6-6-6-6"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILEWORK_PDB_DIR", str(tmp_path / "pdb"))
    get_settings.cache_clear()
    return tmp_path / "pdb"


def read_states(tilework: Run) -> dict[str, str]:
    header, *rows = (line.split("\t") for line in tilework("pdb list").out.splitlines())
    assert header == ["name", "bytes", "state"]
    return {name: state for name, _, state in rows}


def test_database_lifecycle(tilework: Run, folder: Path) -> None:
    assert read_states(tilework) == dict.fromkeys(DEFAULTS, "missing")
    result = tilework("pdb verify", NAME)
    assert (result.code, result.out) == (1, "3x2-5: missing\n")
    (folder / "3x2-5.pdb").mkdir(parents=True)
    assert tilework("pdb verify", NAME).out == "3x2-5: unreadable: Is a directory\n"
    (folder / "3x2-5.pdb").rmdir()
    assert tilework("pdb verify").code == 0
    built = tilework("pdb build", NAME)
    assert built.code == 0
    assert built.out.startswith("3x2-5 built in ")
    assert tilework("pdb build 3x2-5").out == "3x2-5 already built\n"
    # Unknown files are ignored.
    (folder / "9x9-7.pdb").write_bytes(b"")
    assert read_states(tilework) == dict.fromkeys(DEFAULTS, "missing") | {NAME: "built"}
    assert (folder / "3x2-5.pdb").stat().st_size == 4096 + 6**5
    verified = tilework("pdb verify")
    assert verified.code == 0
    assert verified.out == "3x2-5: all entries are correct\n"


def test_corrupted_byte(tilework: Run, folder: Path) -> None:
    tilework("pdb build", NAME)
    overwrite(folder / "3x2-5.pdb", 5_000, b"\1", keep_time=True)
    result = tilework("pdb verify", NAME)
    assert result.code == 1
    assert "3x2-5: damaged: 3x2-5.pdb: wrong checksum" in result.out
    assert read_states(tilework)[NAME] == "damaged"
    assert "built in" in tilework("pdb build", NAME).out
    assert tilework("pdb verify").code == 0


def test_unwritable_folder(tilework: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    result = tilework("pdb build", NAME, "--databases", str(tmp_path / "file"))
    assert result.code == 2
    assert f"the folder '{tmp_path / 'file'}' is not writable (File ex" in result.err

    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tilework.core.solver.pdb.files.os.fsync", fail)
    result = tilework("pdb build", NAME)
    assert result.code == 3
    assert "3x2-5 cannot be stored" in result.err
