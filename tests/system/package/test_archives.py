"""What the wheel and the source archive hold."""

from __future__ import annotations

import tarfile
import tomllib
import zipfile
from pathlib import Path

from tests.support.kernels import ROOT

ROOMS = ("core", "migrations", "web", "worker")
"""Folders of the checkout that are packages within ``tilework``."""

LARGEST_BYTES = 1_700_000
"""Of the wheel; most of it is text, beside a typeface and two files of weights. A database, a cache
or a log would show."""

KINDS = {
    "",  # the licence of the typeface among them, as .txt
    *(".py", ".html", ".css", ".js", ".svg", ".txt", ".cfg", ".mako", ".typed"),
    *(".mo", ".npz", ".tlw", ".woff2"),
}
LARGEST_FILE_BYTES = 80_000
"""Of one file in the wheel: the larger one of the two files of weights has 72 KB."""

FOR_TRANSLATORS = {
    f"tilework/{room}/translations/{name}"
    for room in ("core", "web")
    for name in ("babel.cfg", "pt/LC_MESSAGES/messages.po")
}


def test_each_room_lies_where_it_is_imported_from() -> None:
    links = {
        path.name: path.readlink() for path in (ROOT / "tilework").iterdir() if path.is_symlink()
    }
    assert links == {room: Path("..", room) for room in ROOMS}


def test_the_wheel_brings_one_name_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    assert tops == {"tilework", f"tilework-{project()['version']}.dist-info"}


def test_the_wheel_holds_every_source(wheel: Path) -> None:
    sources = {
        f"tilework/{path.relative_to(folder.parent if room else folder).as_posix()}"
        for room in ("", *ROOMS)
        for folder in [ROOT / (room or "tilework")]
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names(wheel) == sources - FOR_TRANSLATORS
    assert sources >= FOR_TRANSLATORS | {"tilework/py.typed"}
    assert wheel.stat().st_size < LARGEST_BYTES


def test_no_data_strays_into_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = [one for one in archive.infolist() if ".dist-info/" not in one.filename]
    assert {Path(one.filename).suffix for one in held} <= KINDS
    assert max(one.compress_size for one in held) < LARGEST_FILE_BYTES


def test_the_source_archive_makes_the_same_wheel(
    wheel: Path, sdist: Path, wheel_of_sdist: Path
) -> None:
    with tarfile.open(sdist) as archive:
        assert all(member.isfile() for member in archive.getmembers())
    assert wheel_of_sdist.read_bytes() == wheel.read_bytes()


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        about = f"tilework-{project()['version']}.dist-info"
        metadata = archive.read(f"{about}/METADATA").decode()
        licence = archive.read(f"{about}/licenses/LICENSE").decode()
    assert "\nLicense-Expression: MIT\n" in metadata
    assert licence == (ROOT / "LICENSE").read_text()
    assert licence.startswith("MIT License")


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def project() -> dict[str, str]:
    found: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return found
