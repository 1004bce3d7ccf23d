"""``python -m tools.training.digits``: draw samples and fit the network that reads digits.

Samples are numbers drawn on cells in many fonts, as the digit recogniser sees them. The network is
fitted with Adam (Kingma and Ba, 2015), minimising its cross-entropy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import cv2
import numpy as np
import typer
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from rich import print as say

from tilework.core.pictures.digits import (
    CELL,
    CLASSES,
    FEATURES,
    NO_DIGIT,
    WEIGHTS_FILE,
    Network,
    Stroke,
    extract_features,
    find_strokes,
)

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

Colour = tuple[int, int, int]

_OVERSAMPLING: Final = 2
_MIN_CONTRAST: Final = 70.0

_BATCH: Final = 128
_RATE: Final = 2e-3
_DECAYS: Final = (0.9, 0.999)
_WEIGHT_DECAY: Final = 1e-4
_DROPOUT: Final = 0.2
_SMOOTHING: Final = 0.02
"""Label smoothing."""


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


@dataclass(frozen=True, slots=True)
class Samples:
    features: NDArray[np.float32]
    labels: NDArray[np.intp]


def make_samples(fonts: Sequence[Path], cells: int, random: np.random.Generator) -> Samples:
    """Draw cells and split them into strokes."""
    all_strokes: list[Stroke] = []
    labels: list[int] = []
    for index in range(cells):
        number = int(random.integers(0, 100))
        cell = draw_cell(str(number), fonts[index % len(fonts)], random)
        strokes = find_strokes(cell)
        if len(strokes) == len(str(number)):
            all_strokes += strokes
            labels += [int(digit) for digit in str(number)]
        elif len(strokes) == 1 and _is_wide(strokes[0]):
            # Two touching digits.
            all_strokes += strokes
            labels.append(NO_DIGIT)
    return Samples(extract_features(all_strokes), np.array(labels, dtype=np.intp))


def _is_wide(stroke: Stroke) -> bool:
    height, width = stroke.ink.shape
    return bool(width > 0.85 * height)


def draw_cell(text: str, font: Path, random: np.random.Generator) -> NDArray[np.uint8]:
    """Draw a cell with a number, with random angle, size and sharpness."""
    side = CELL * _OVERSAMPLING
    tile, ink = _choose_colours(random)
    image = Image.new("RGB", (side, side), tile)
    draw = ImageDraw.Draw(image)
    font_face = ImageFont.truetype(str(font), random.uniform(0.36, 0.72) * side)
    middle = side / 2 + random.uniform(-0.06, 0.06, 2) * side
    stroke_width = int(random.choice((0, 0, 0, 1, 2)))
    draw.text(
        tuple(middle), text, ink, font_face, anchor="mm", stroke_width=stroke_width, stroke_fill=ink
    )
    return _distort(np.asarray(image), random)


def _choose_colours(random: np.random.Generator) -> tuple[Colour, Colour]:
    while True:
        tile, ink = random.integers(0, 256, (2, 3))
        if np.abs(tile - ink) @ (0.3, 0.6, 0.1) > _MIN_CONTRAST:
            return tuple(map(int, tile)), tuple(map(int, ink))  # type: ignore[return-value]


def _distort(image: NDArray[np.uint8], random: np.random.Generator) -> NDArray[np.uint8]:
    angle = np.deg2rad(random.normal(0, 3))
    slant, x_scale, y_scale = (
        random.normal(0, 0.08),
        random.uniform(0.82, 1.18),
        random.uniform(0.85, 1.1),
    )
    matrix = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    matrix = matrix @ np.array([(x_scale, slant), (0, y_scale)])
    middle = np.array(image.shape[1::-1]) / 2
    transform = np.column_stack((matrix, middle - matrix @ middle))
    picture = cv2.warpAffine(image, transform, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    # Cells that are small in a picture are blurred.
    small_side = int(random.uniform(26, CELL + 1)) if random.random() < 0.6 else CELL
    picture = cv2.resize(picture, (small_side, small_side), interpolation=cv2.INTER_AREA)
    noisy = picture + random.normal(0, random.uniform(0, 16), picture.shape)
    left, right = random.uniform(0.8, 1.0, 2).tolist()
    noisy = noisy * np.linspace(left, right, small_side)[None, :, None]
    picture = noisy.clip(0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(picture, (CELL, CELL), interpolation=cv2.INTER_LINEAR))


def fit(
    samples: Samples,
    units: int,
    rounds: int,
    random: np.random.Generator,
    say: Callable[[str], None],
) -> Network:
    """Fit a network with `units` hidden units."""
    weights = [
        random.normal(0, (2 / FEATURES) ** 0.5, (FEATURES + 1, units)),
        random.normal(0, (2 / units) ** 0.5, (units + 1, CLASSES)),
    ]
    moments = [[np.zeros_like(weight) for weight in weights] for _ in _DECAYS]
    targets = np.eye(CLASSES)[samples.labels] * (1 - _SMOOTHING) + _SMOOTHING / CLASSES
    features = samples.features.astype(np.float64)
    steps = rounds * (len(features) // _BATCH)
    step = 0
    for round_ in range(rounds):
        order = random.permutation(len(features))
        loss = 0.0
        for first in range(0, len(order) - _BATCH + 1, _BATCH):
            step += 1
            batch = order[first : first + _BATCH]
            gradients, cost = _compute_gradients(weights, features[batch], targets[batch], random)
            loss += cost
            rate = _RATE * (1 - step / (steps + 1))
            for index, gradient in enumerate(gradients):
                mean, square = moments[0][index], moments[1][index]
                mean += (1 - _DECAYS[0]) * (gradient - mean)
                square += (1 - _DECAYS[1]) * (gradient**2 - square)
                unbiased = mean / (1 - _DECAYS[0] ** step)
                scale = np.sqrt(square / (1 - _DECAYS[1] ** step)) + 1e-8
                weights[index] -= rate * (unbiased / scale + _WEIGHT_DECAY * weights[index])
        say(f"round {round_ + 1} of {rounds}: {loss * _BATCH / len(order):.4f}")
    return Network(weights[0].astype(np.float32), weights[1].astype(np.float32))


def _compute_gradients(
    weights: list[NDArray[np.float64]],
    features: NDArray[np.float64],
    targets: NDArray[np.float64],
    random: np.random.Generator,
) -> tuple[list[NDArray[np.float64]], float]:
    """Return the gradients of the mean cross-entropy with respect to each layer, and the mean."""
    count = len(features)
    hidden, output = weights
    inputs = np.column_stack((features, np.ones(count)))
    raw = inputs @ hidden
    is_active = (raw > 0) & (random.random(raw.shape) >= _DROPOUT)
    units = np.column_stack((np.where(is_active, raw, 0) / (1 - _DROPOUT), np.ones(count)))
    scores = units @ output
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities = exponentials / exponentials.sum(axis=1, keepdims=True)
    error = (probabilities - targets) / count
    hidden_error = np.where(is_active, error @ output[:-1].T, 0) / (1 - _DROPOUT)
    loss = -float((targets * np.log(probabilities + 1e-12)).sum()) / count
    return [inputs.T @ hidden_error, units.T @ error], loss


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


if __name__ == "__main__":
    typer.run(main)
