"""The rounds of training: each makes examples with the last potential, and fits the next one."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from tilework.core.solver.kernels.potential import NEAR, SCALE
from tilework.core.solver.large.learned.potential import Potential, block_classes
from tools.training.examples import BoardSet, Example, make_example, make_losses
from tools.training.losses import Loss
from tools.training.parameters import BLOCKS, NEAR_GOAL, STEPS, STEPS_CAP, Parameters, Reals

PENALTY = 30.0
"""The weight of the ridge penalty, which pulls parameters towards Manhattan distance."""

_ROW_INTERVAL = 3
"""The number of moves between two rows of a stretch."""


@dataclass(frozen=True, slots=True)
class Round:
    board_sets: tuple[BoardSet, ...]
    earlier_rounds: tuple[int, ...] = ()
    iterations: int = 100


def _round(*sets: tuple[int, int, int, int]) -> Round:
    """Return a round with sets of a side, boards, width and levels, and the first round's sets."""
    return Round(tuple(BoardSet(*numbers) for numbers in sets), earlier_rounds=(0,))


ROUNDS = (
    # Manhattan distance is of no use to a beam, so pattern databases find the first solutions.
    Round((BoardSet(5, 400, 3000, uses_databases=True),), iterations=80),
    _round((5, 150, 1000, 4), (6, 100, 1500, 4), (7, 50, 1500, 6), (8, 30, 1500, 8)),
    _round(
        *((5, 100, 1000, 4), (6, 120, 2000, 4), (7, 60, 2000, 6), (8, 50, 2000, 8)),
        *((10, 24, 2000, 12), (12, 8, 1500, 16)),
    ),
    _round(
        *((6, 120, 3000, 4), (8, 70, 3000, 8), (10, 36, 3000, 12), (12, 20, 2500, 12)),
        (16, 8, 2000, 24),
    ),
    _round(
        *((5, 100, 3000, 4), (6, 120, 5000, 4), (8, 70, 4000, 8), (10, 36, 4000, 12)),
        *((12, 24, 3000, 12), (16, 12, 3000, 24), (20, 5, 2000, 40)),
    ),
)
"""Later rounds use larger boards, once the potential solves them, and wider beams."""


def train(
    rounds: Sequence[Round], seed: int, threads: int, say: Callable[[str], object]
) -> Potential:
    started = time.monotonic()
    parameters = Parameters()
    vector, potential = parameters.make_start(), None
    examples_by_round: list[list[Example]] = []
    for number, round_ in enumerate(rounds):
        examples_by_round.append(_make_examples(round_, potential, seed + number, threads))
        examples = [
            example
            for index in (*round_.earlier_rounds, number)
            for example in examples_by_round[index]
        ]
        say(f"{time.monotonic() - started:.0f} s: round {number}, {_format_counts(examples)}")
        vector = fit(
            parameters,
            make_losses(examples, _ROW_INTERVAL),
            vector,
            iterations=round_.iterations,
            threads=threads,
        )
        potential = _round_entries(parameters.matrix @ vector)
    say(f"{time.monotonic() - started:.0f} s: done")
    if potential is None:
        raise ValueError("no rounds")
    return potential


def _make_examples(
    round_: Round, potential: Potential | None, seed: int, threads: int
) -> list[Example]:
    with ThreadPoolExecutor(threads) as pool:
        tasks = [
            pool.submit(make_example, boards, potential, seed, number)
            for boards in round_.board_sets
            for number in range(boards.boards)
        ]
        examples = [task.result() for task in tasks]
    return [example for example in examples if example is not None]


def fit(
    parameters: Parameters,
    losses: Sequence[Loss],
    start: Reals,
    *,
    iterations: int,
    threads: int,
) -> Reals:
    """Minimise the sum of the losses and a ridge penalty with L-BFGS."""
    origin = parameters.make_start()
    with ThreadPoolExecutor(threads) as pool:
        matrix, transpose = parameters.matrix, parameters.matrix.T.tocsr()
        curvature = sum(pool.map(lambda loss: loss.curvature(), losses), np.zeros(matrix.shape[0]))
        ridge = PENALTY * parameters.penalties
        # This scaling makes all directions about equally steep.
        scale = 1 / np.sqrt(transpose @ curvature + ridge)

        def objective(scaled: Reals) -> tuple[float, Reals]:
            vector = scaled * scale
            entries = matrix @ vector
            difference = vector - origin
            total, slope = float(ridge @ difference**2) / 2, ridge * difference
            sums = np.zeros(entries.size)
            for value, gradient in pool.map(lambda loss: loss.at(entries), losses):
                total += value
                sums += gradient
            return total, (slope + transpose @ sums) * scale

        minimum = minimize(
            objective, start / scale, jac=True, method="L-BFGS-B",
            options={"maxiter": iterations, "maxcor": 10, "maxfun": 2 * iterations},
        )  # fmt: skip
    return np.asarray(minimum.x * scale)


def _round_entries(entries: Reals) -> Potential:
    """Round the entries to the units of a potential."""

    def to_units(table: Reals) -> NDArray[np.int16]:
        largest = np.iinfo(np.int16).max
        units: NDArray[np.int16] = np.clip(np.rint(table * SCALE), -largest, largest).astype(
            np.int16
        )
        return units

    return Potential(
        round(float(entries[0]), 4),
        np.round(entries[STEPS].reshape(STEPS_CAP + 1, -1), 4),
        to_units(entries[BLOCKS])[block_classes().by_block],
        to_units(entries[NEAR_GOAL]).reshape(NEAR, NEAR),
    )


def _format_counts(examples: list[Example]) -> str:
    sizes = sorted({example.size for example in examples})
    return ", ".join(
        f"{sum(example.size == size for example in examples)} of {size}" for size in sizes
    )
