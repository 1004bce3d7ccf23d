"""From nothing to weights: round after round of examples and fits."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from tilework.core.solver.kernels.learned.potential import NEAR, SCALE
from tilework.core.solver.large.learned.potential import Potential, block_classes
from tools.training.fit import fit
from tools.training.lessons import Example, example, losses_of
from tools.training.parameters import STEPS_CAP, Parameters, Reals, Tables
from tools.training.schedule import Round

PENALTY = 30.0
"""How strongly parameters are held to Manhattan distance."""

_ROW_EVERY = 3
"""Moves from one row of a stretch to the next."""


def train(
    rounds: Sequence[Round], seed: int, threads: int, say: Callable[[str], object]
) -> Potential:
    began = time.monotonic()
    parameters = Parameters()
    vector, potential = parameters.start(), None
    made: list[list[Example]] = []
    for number, one in enumerate(rounds):
        made.append(_examples(one, potential, seed + number, threads))
        examples = [example for some in (*one.also, number) for example in made[some]]
        say(f"{time.monotonic() - began:.0f} s: round {number}, {_counts(examples)}")
        vector = fit(
            parameters,
            losses_of(examples, _ROW_EVERY),
            vector,
            penalty=PENALTY,
            iterations=one.iterations,
            threads=threads,
        )
        potential = _rounded(parameters.tables(vector))
    say(f"{time.monotonic() - began:.0f} s: done")
    if potential is None:
        raise ValueError("no rounds")
    return potential


def _examples(one: Round, potential: Potential | None, seed: int, threads: int) -> list[Example]:
    with ThreadPoolExecutor(threads) as pool:
        tasks = [
            pool.submit(example, lesson, potential, seed, number)
            for lesson in one.lessons
            for number in range(lesson.boards)
        ]
        found = [task.result() for task in tasks]
    return [one for one in found if one is not None]


def _rounded(tables: Tables) -> Potential:
    """Return the potential of some tables, in whole units."""

    def whole(table: Reals) -> NDArray[np.int16]:
        most = np.iinfo(np.int16).max
        units: NDArray[np.int16] = np.clip(np.rint(table * SCALE), -most, most).astype(np.int16)
        return units

    return Potential(
        round(float(tables.distance[0]), 4),
        np.round(tables.steps.reshape(STEPS_CAP + 1, -1), 4),
        whole(tables.blocks)[block_classes().of_block],
        whole(tables.near).reshape(NEAR, NEAR),
    )


def _counts(examples: list[Example]) -> str:
    sizes = sorted({one.size for one in examples})
    return ", ".join(f"{sum(one.size == size for one in examples)} of {size}" for size in sizes)
