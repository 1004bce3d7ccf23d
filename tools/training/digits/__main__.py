"""``python -m tools.training.digits``: draw samples and fit the network that reads digits."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import numpy as np
import typer
from rich import print as say

from tilework.core.pictures.digits import NO_DIGIT, WEIGHTS_FILE
from tools.training.digits.fit import fit
from tools.training.digits.samples import make_samples

# Fonts in the extra "training", all under free licences. None of them is used by
# `tools.benchmarks.pictures`.
_PACKAGES: Final = {
    "font_amatic_sc": "*Bold.ttf",
    "font_fjallaone": "*.ttf",
    "font_hanken_grotesk": "*.otf",
    "font_intuitive": "*.ttf",
    "font_lato": "*.ttf",
    "font_manrope": "Manrope-[!V]*.ttf",
    "font_rhd": "*.ttf",
    "font_source_sans_pro": "*.ttf",
    "matplotlib": "DejaVu*[!y].ttf",
}
_OTHER_FONTS: Final = ("STIXGeneral*.ttf", "cmr10.ttf", "cmss10.ttf", "cmb10.ttf", "cmtt10.ttf")


def list_fonts() -> list[Path]:
    """Return the font files, in the same order on every machine."""
    files = []
    for package, pattern in _PACKAGES.items():
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            raise SystemExit(f"{package} is missing; install it: make .venv/.training")
        folder = Path(spec.origin).parent
        patterns = (pattern, *_OTHER_FONTS) if package == "matplotlib" else (pattern,)
        files += [path for pattern in patterns for path in sorted(folder.rglob(pattern))]
    return files


def main(
    output: Annotated[Path, typer.Option(help="Weights file to write.")] = WEIGHTS_FILE,
    seed: Annotated[int, typer.Option(help="The same seed gives the same weights.")] = 1,
    cells: Annotated[int, typer.Option(help="Cells to draw.")] = 16_000,
    rounds: Annotated[int, typer.Option(help="Passes over the samples.")] = 20,
    units: Annotated[int, typer.Option(help="Units of the hidden layer.")] = 64,
) -> None:
    """Train the network from scratch."""
    random = np.random.default_rng(seed)
    font_files = list_fonts()
    say(f"{len(font_files)} fonts")
    samples = make_samples(font_files, cells, random)
    say(f"{len(samples.labels)} strokes, {np.mean(samples.labels == NO_DIGIT):.0%} not digits")
    network = fit(samples, units, rounds, random, say)
    is_correct = network.probabilities(samples.features).argmax(axis=1) == samples.labels
    say(f"{is_correct.mean():.2%} of the samples are classified correctly")
    network.save(output)
    say(f"{output}: {output.stat().st_size} bytes")


typer.run(main)
