"""The display face: what is in the sources is what the script makes of the published font."""

from __future__ import annotations

from importlib.resources import as_file
from io import BytesIO

from fontTools.ttLib import TTFont

from devtools.display_font import FOLDER, SIGNS, SOURCE, made


def test_the_font_is_what_the_script_makes() -> None:
    with as_file(SOURCE / "files" / "Fraunces[SOFT,WONK,opsz,wght].ttf") as source:
        font = made(TTFont(source, recalcTimestamp=False))
    written = BytesIO()
    font.save(written)
    assert written.getvalue() == (FOLDER / "fraunces.woff2").read_bytes()


def test_it_has_each_sign_and_one_axis() -> None:
    font = TTFont(FOLDER / "fraunces.woff2")
    assert {ord(sign) for sign in SIGNS} <= set(font.getBestCmap())
    assert [axis.axisTag for axis in font["fvar"].axes] == ["wght"]
    assert "SIL Open Font License" in str(font["name"].getDebugName(13))
