"""``tilework pdb`` on a folder of its own, with the smallest databases that there are."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tilework.core.settings import get_settings
from tilework.core.solver.pdb.building.builder import become_builder

Run = Callable[..., Any]
NAME = "3x2-5"
DEFAULTS = ["4x4-6-6-3", "4x4-7-8", "5x5-5-5-5-5-4", "5x5-6-6-6-6"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILEWORK_DATABASES_DIR", str(tmp_path / "pdb"))
    get_settings.cache_clear()
    return tmp_path / "pdb"


def states(tilework: Run) -> dict[str, str]:
    header, *rows = (line.split("\t") for line in tilework("pdb list").out.splitlines())
    assert header == ["name", "bytes", "state"]
    return {name: state for name, _, state in rows}


def test_the_life_of_a_database(tilework: Run, folder: Path) -> None:
    assert states(tilework) == dict.fromkeys(DEFAULTS, "missing")
    built = tilework("pdb build", NAME)
    assert built.code == 0
    assert built.out.startswith("3x2-5 built in ")
    assert tilework("pdb build 3x2 5").out == "3x2-5 is there\n"
    assert states(tilework)[NAME] == "built"
    assert (folder / "3x2-5.pdb").stat().st_size == 4096 + 6**5
    verified = tilework("pdb verify")
    assert (verified.code, verified.out) == (0, "3x2-5 right in every entry\n")


def test_a_table_of_all_distances(tilework: Run, folder: Path) -> None:
    assert tilework("pdb build 2x3-distances").out.startswith("3x2-distances built in ")
    assert states(tilework)["3x2-distances"] == "built"
    assert (folder / "3x2-distances.pdb").stat().st_size == 4096 + 720 // 2 // 4
    assert tilework("pdb verify").out == "3x2-distances right in every entry\n"
    refused = tilework("pdb build 4x4-distances")
    assert refused.code == 2
    assert "4×4 has 16" in refused.err


def test_a_wrong_byte(tilework: Run, folder: Path) -> None:
    tilework("pdb build", NAME)
    path = folder / "3x2-5.pdb"
    before = path.stat()
    with path.open("r+b") as file:
        file.seek(5000)
        file.write(b"\1")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    found = tilework("pdb verify", NAME)
    assert found.code == 1
    assert "3x2-5 damaged: 3x2-5.pdb: wrong checksum" in found.out
    assert states(tilework)[NAME] == "damaged"
    assert "built in" in tilework("pdb build", NAME).out
    assert tilework("pdb verify").code == 0


def test_what_is_named_is_to_be_there(tilework: Run) -> None:
    found = tilework("pdb verify", NAME)
    assert (found.code, found.out) == (1, "3x2-5 is missing\n")
    assert tilework("pdb verify").code == 0


def test_files_of_nothing_known_are_left_alone(tilework: Run, folder: Path) -> None:
    folder.mkdir()
    (folder / "9x9-7.pdb").write_bytes(b"")
    (folder / "old.pdb").write_bytes(b"")
    assert set(states(tilework)) == set(DEFAULTS)


def test_what_is_over_the_budget_says_so(tilework: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWORK_PDB_BUDGET", "80_000_000")
    get_settings.cache_clear()
    found = states(tilework)
    assert found["4x4-6-6-3"] == "missing"
    assert found["5x5-6-6-6-6"] == "missing, over the budget"


def test_nothing_is_built_where_nothing_fits(
    tilework: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWORK_PDB_BUDGET", "0")
    get_settings.cache_clear()
    done = tilework("pdb build")
    assert (done.code, done.out) == (0, "")


def test_what_is_being_built(tilework: Run, folder: Path) -> None:
    folder.mkdir()
    note = {"partition": "5x5 6-6-6-6", "share": 0.404, "began": 1.0}
    (folder / "building.json").write_text(json.dumps(note))
    assert states(tilework)["5x5-6-6-6-6"] == "being built: 40%"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("6-6-6-6", "unknown pattern databases '6-6-6-6'; give a name as in 5x5-6-6-6-6"),
        ("5x5-7-7", "boards of 5×5 have no partition '7-7'; choose from 6-6-6-6, 5-5-5-5-4"),
        ("3x2", "boards of 3×2 have no partition ''; choose from 5"),
        ("9x9-7", "there are no pattern databases for boards of 9×9"),
    ],
)
def test_names_that_are_none(tilework: Run, words: str, said: str) -> None:
    for command in ("pdb build", "pdb verify"):
        done = tilework(command, words)
        assert done.code == 2
        assert said in done.err


def test_a_folder_that_is_none(tilework: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = tilework("pdb build", NAME, "--databases", str(tmp_path / "file"))
    assert done.code == 2
    assert done.err == (
        f"tilework: nothing can be written in the folder '{tmp_path / 'file'}' (File exists); "
        "choose one that you may write in, with --databases or TILEWORK_DATABASES_DIR\n"
    )


def test_a_full_disk(tilework: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tilework.core.solver.pdb.files.os.fsync", fail)
    done = tilework("pdb build", NAME)
    assert done.code == 3
    assert "3x2-5 cannot be stored" in done.err


def test_another_builder_is_waited_for(folder: Path, terminal: Callable[..., Any]) -> None:
    claim = become_builder(folder, patient=False)
    assert claim is not None
    waiting = terminal("pdb", "build", NAME)
    waiting.read_until("another process builds; waiting for it")
    os.close(claim)
    screen, code = waiting.rest()
    assert code == 0
    assert "3x2-5 built in" in screen


def test_an_interrupt_ends_a_build_at_once(folder: Path, terminal: Callable[..., Any]) -> None:
    building = terminal("pdb", "build", "5x5-6-6-6-6")
    building.read_until("building 5x5-6-6-6-6")
    _, code = building.rest(interrupt=True)
    assert code == 130
    assert not list(folder.glob("*.pdb"))
    assert not (folder / "building.json").exists()
