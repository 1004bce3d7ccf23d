"""The command that takes the pictures of the README."""

import re
from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Browser

from tests.system.docs.test_docs import README
from tools.devtools import readme_pictures

SVG = "{http://www.w3.org/2000/svg}"


def test_pictures_of_the_readme(site: str, browser: Browser, tmp_path: Path) -> None:
    readme_pictures.take_pictures(site, browser, tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names <= {*re.findall(r'docs/pictures/([\w-]+\.\w+)"', README.read_text())}
    assert all((readme_pictures.FOLDER / name).exists() for name in names)
    for drawing in tmp_path.glob("*.svg"):
        cells = {}
        for tile in ElementTree.parse(drawing).iter(f"{SVG}g"):
            if (animation := tile.find(f"{SVG}animateTransform")) is not None:
                shift = animation.attrib["values"].split(";")[-1].split(",")
                corner = (tile.find(f"{SVG}rect").attrib[name] for name in "xy")
                column, row = ((int(a) + int(b)) // 40 for a, b in zip(corner, shift, strict=True))
                cells[int(tile.find(f"{SVG}text").text)] = 4 * row + column
        assert cells == {tile: tile - 1 for tile in range(1, 16)}, "the animation ends at the goal"
