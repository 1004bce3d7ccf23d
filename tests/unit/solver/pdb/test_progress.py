import json
import os
import subprocess
import sys
import time

import pytest

from tilework.core.solver.pdb import progress
from tilework.core.solver.pdb.progress import Building, BuildingNote, read_building


def test_a_note_is_there_while_something_is_built(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "_PAUSE_S", 0.01)
    before = time.time()
    assert read_building(tmp_path) is None
    with BuildingNote(tmp_path, "3x3 4-4") as note:
        told = read_building(tmp_path)
        assert told == Building("3x3 4-4", 0.0, told.began)
        assert before <= told.began <= time.time()
        note(0.5)
        while read_building(tmp_path).share != 0.5:
            time.sleep(0.01)
    assert list(tmp_path.iterdir()) == []


def test_the_note_of_a_killed_builder_grows_stale(tmp_path):
    note = tmp_path / "building.json"
    note.write_text(json.dumps({"partition": "3x3 4-4", "share": 0.25, "began": 1.0}))
    assert read_building(tmp_path) == Building("3x3 4-4", 0.25, 1.0)
    old = time.time() - progress.STALE_AFTER_S - 1
    os.utime(note, (old, old))
    assert read_building(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"partition": "x", "share": "y"}'])
def test_a_note_that_says_nothing(tmp_path, text):
    (tmp_path / "building.json").write_text(text)
    assert read_building(tmp_path) is None


def test_a_folder_that_cannot_be_written_gets_no_note(tmp_path):
    with BuildingNote(tmp_path / "none", "3x3 4-4") as note:
        note(0.5)
    assert list(tmp_path.iterdir()) == []


def test_reading_loads_no_solver():
    script = "import sys, tilework.core.solver.pdb.progress; print('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
