import pytest

from tilework.core.machine import user_cache, user_state
from tilework.core.remote import load_cookies
from tilework.core.solver.pdb.files import default_folder


@pytest.mark.parametrize(
    ("environment", "cache", "state"),
    [
        ("", "home/.cache/tilework", "home/.local/state/tilework"),
        ("{}/other", "other/tilework", "other/tilework"),
    ],
)
def test_default_folders(tmp_path, monkeypatch, environment, cache, state):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, environment.format(tmp_path))
    assert default_folder() == tmp_path / cache / "databases"
    assert (user_cache(), user_state()) == (tmp_path / cache, tmp_path / state)
    assert load_cookies("http://127.0.0.1:8000") == {}
    assert list(tmp_path.iterdir()) == []  # no folder is created
