"""Make the display face, one WOFF2, out of Fraunces: ``python -m tools.devtools.display_font``.

Of four axes the weight alone stays, in the range that the style sheets use; of the signs, what the
two languages of the pages write. Fraunces has figures of different widths only, so that a clock
set in it would tremble: figures of one width are added as its feature ``tnum``.
"""

from __future__ import annotations

import shutil
import string
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent
from fontTools.ttLib.tables.TupleVariation import TupleVariation
from fontTools.varLib.instancer import instantiateVariableFont

FOLDER: Final = Path(__file__).parents[2] / "web" / "static" / "fonts"
SOURCE: Final = files("fontpkg_fraunces")

SIGNS: Final = (
    string.ascii_letters
    + string.digits
    + " .,:;!?'\"()-+=/%&×–—…·’“”≤≥−"
    + "ÀÁÂÃÇÉÊÍÓÔÕÚàáâãçéêíóôõúü"
)
AXES: Final = {"wght": (400, 700), "opsz": 72, "SOFT": 50, "WONK": 0}
UNITS: Final = 1000
COPYRIGHT_AND_LICENCE: Final = [0, 1, 2, 13, 14]
ARGUMENTS_ARE_A_PLACE: Final = 0x0002


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with as_file(SOURCE / "files" / "Fraunces[SOFT,WONK,opsz,wght].ttf") as source:
        font = made(TTFont(source, recalcTimestamp=False))
    target = FOLDER / "fraunces.woff2"
    font.save(target)
    with as_file(SOURCE / "LICENSE") as licence:
        shutil.copyfile(licence, FOLDER / "OFL.txt")
    print(f"{target}: {target.stat().st_size} bytes")


def made(source: TTFont) -> TTFont:
    options = Options(
        layout_features=["kern"],
        hinting=False,
        glyph_names=False,
        name_IDs=COPYRIGHT_AND_LICENCE,
        # Of the axes that go, and of widths that the outlines' own variations tell as well.
        drop_tables=[*Options().drop_tables, "STAT", "MVAR", "HVAR", "gasp"],
    )
    subsetter = Subsetter(options)
    subsetter.populate(text=SIGNS)
    subsetter.subset(source)
    font = instantiateVariableFont(source, AXES)
    scale_upem(font, UNITS)
    add_figures_of_one_width(font)
    font.flavor = "woff2"
    return font


def add_figures_of_one_width(font: TTFont) -> None:
    """Add, for each figure, one that stands in the middle of a width that all weights share."""
    names = font.getBestCmap()
    figures = [names[ord(digit)] for digit in string.digits]
    advances = font["hmtx"].metrics
    widths = sorted(advances[name][0] + max(0, _wider(font, name)) for name in figures)
    width = widths[-3]  # the two widest have room enough beside them
    rules = []
    for name in figures:
        added = f"{name}.tf"
        growth = _wider(font, name)
        aside = round((width - advances[name][0]) / 2)
        font["glyf"][added] = _moved(name, aside)
        advances[added] = (width, advances[name][1] + aside)
        # Its place, and the four points that tell its box, of which none moves.
        moves = [(-round(growth / 2), 0), (0, 0), (0, 0), (0, 0), (0, 0)]
        font["gvar"].variations[added] = [TupleVariation({"wght": (0.0, 1.0, 1.0)}, moves)]
        rules.append(f"sub {name} by {added};")
    font.setGlyphOrder(list(font["glyf"].glyphOrder))
    addOpenTypeFeaturesFromString(
        font, f"feature tnum {{ {' '.join(rules)} }} tnum;", tables=["GSUB"]
    )


def _wider(font: TTFont, name: str) -> int:
    """How much wider a sign is at the greatest weight than at the least."""
    wider: int = sum(
        variation.coordinates[-3][0] - variation.coordinates[-4][0]
        for variation in font["gvar"].variations[name]
    )
    return wider


def _moved(name: str, aside: int) -> Any:
    component = GlyphComponent()
    component.glyphName = name
    component.x, component.y = aside, 0
    component.flags = ARGUMENTS_ARE_A_PLACE
    glyph = Glyph()
    glyph.numberOfContours = -1
    glyph.components = [component]
    return glyph


if __name__ == "__main__":
    main()
