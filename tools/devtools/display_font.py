"""Make the display font from Fraunces: ``python -m tools.devtools.display_font``.

Of the four axes, only the weight is kept, in the range that the style sheets use, with only the
characters of the pages' two languages. Fraunces has only proportional figures, which would make a
clock jump, so tabular figures are added as the feature ``tnum``.
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

CHARACTERS: Final = (
    string.ascii_letters
    + string.digits
    + " .,:;!?'\"()-+=/%&×–—…·’“”≤≥−"
    + "ÀÁÂÃÇÉÊÍÓÔÕÚàáâãçéêíóôõúü"
)
AXES: Final = {"wght": (400, 700), "opsz": 72, "SOFT": 50, "WONK": 0}
UNITS: Final = 1000
COPYRIGHT_AND_LICENCE: Final = [0, 1, 2, 13, 14]
ARGS_ARE_XY_VALUES: Final = 0x0002


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with as_file(SOURCE / "files" / "Fraunces[SOFT,WONK,opsz,wght].ttf") as source:
        font = make_font(TTFont(source, recalcTimestamp=False))
    target = FOLDER / "fraunces.woff2"
    font.save(target)
    with as_file(SOURCE / "LICENSE") as licence:
        shutil.copyfile(licence, FOLDER / "OFL.txt")
    print(f"{target}: {target.stat().st_size} bytes")


def make_font(source: TTFont) -> TTFont:
    options = Options(
        layout_features=["kern"],
        hinting=False,
        glyph_names=False,
        name_IDs=COPYRIGHT_AND_LICENCE,
        # Tables for the removed axes, and widths that follow from the outlines' variations.
        drop_tables=[*Options().drop_tables, "STAT", "MVAR", "HVAR", "gasp"],
    )
    subsetter = Subsetter(options)
    subsetter.populate(text=CHARACTERS)
    subsetter.subset(source)
    font = instantiateVariableFont(source, AXES)
    scale_upem(font, UNITS)
    add_tabular_figures(font)
    font.flavor = "woff2"
    return font


def add_tabular_figures(font: TTFont) -> None:
    """Add a copy of each figure, centred within a width that all figures and weights share."""
    names = font.getBestCmap()
    figures = [names[ord(digit)] for digit in string.digits]
    advances = font["hmtx"].metrics
    widths = sorted(advances[name][0] + max(0, _measure_growth(font, name)) for name in figures)
    width = widths[-3]  # the two widest have narrow margins
    rules = []
    for name in figures:
        tabular_name = f"{name}.tf"
        growth = _measure_growth(font, name)
        shift = round((width - advances[name][0]) / 2)
        font["glyf"][tabular_name] = _make_shifted_copy(name, shift)
        advances[tabular_name] = (width, advances[name][1] + shift)
        # The offset of the component, and four phantom points, which do not move.
        deltas = [(-round(growth / 2), 0), (0, 0), (0, 0), (0, 0), (0, 0)]
        font["gvar"].variations[tabular_name] = [TupleVariation({"wght": (0.0, 1.0, 1.0)}, deltas)]
        rules.append(f"sub {name} by {tabular_name};")
    font.setGlyphOrder(list(font["glyf"].glyphOrder))
    addOpenTypeFeaturesFromString(
        font, f"feature tnum {{ {' '.join(rules)} }} tnum;", tables=["GSUB"]
    )


def _measure_growth(font: TTFont, name: str) -> int:
    """Return how much wider a glyph is at the maximum weight than at the minimum."""
    growth: int = sum(
        variation.coordinates[-3][0] - variation.coordinates[-4][0]
        for variation in font["gvar"].variations[name]
    )
    return growth


def _make_shifted_copy(name: str, shift: int) -> Any:
    component = GlyphComponent()
    component.glyphName = name
    component.x, component.y = shift, 0
    component.flags = ARGS_ARE_XY_VALUES
    glyph = Glyph()
    glyph.numberOfContours = -1
    glyph.components = [component]
    return glyph


if __name__ == "__main__":
    main()
