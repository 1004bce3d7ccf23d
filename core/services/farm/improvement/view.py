"""What is told of the search for shorter solutions of a large board."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.services.farm.improvement.state import Improvement, Pay, UnderWay
from tilework.core.solver.trial import EFFORTS, Trial, TrialKind


@dataclass(frozen=True)
class TryView:
    """A try that is being made, or is next.

    Attributes
    ----------
    kind : str
        ``beam``, ``fresh`` or ``windows``.
    width : int
        Boards that its beam keeps of each level.
    view : int or None
        Of a beam, which view of the board it sees; 0 is the board as it is.
    first, count : int or None
        Of windows, the stretch of the best solution.
    length : int or None
        Of windows, the moves of each.
    """

    kind: str
    width: int
    view: int | None
    first: int | None
    count: int | None
    length: int | None


@dataclass(frozen=True)
class PayView:
    """What one kind of try has cost and gained; seconds are summed over workers."""

    kind: str
    length: int | None
    tries: int
    seconds: float
    gained: int


@dataclass(frozen=True)
class ImprovementView:
    """How the search for shorter solutions goes.

    Attributes
    ----------
    tries : int
        Begun so far.
    trying : tuple of TryView
        Those that nobody has ended yet.
    paid : tuple of PayView
        By kind, in the order in which they were first tried.
    improved_at : float or None
        Epoch seconds of the last gain by a try.
    """

    tries: int
    trying: tuple[TryView, ...]
    paid: tuple[PayView, ...]
    improved_at: float | None


def improvement_view(state: Improvement) -> ImprovementView | None:
    """Return what is told of a state; None for a board that is not improved so."""
    if not state.opened:
        return None
    return ImprovementView(
        state.begun,
        tuple(map(_trying, state.under_way)),
        tuple(_paid(name, pay) for name, pay in state.pays),
        state.improved_at,
    )


def _trying(one: UnderWay) -> TryView:
    trial: Trial = one.trial
    if trial.kind is TrialKind.WINDOWS:
        length = EFFORTS[trial.effort].length
        return TryView(trial.kind, trial.width, None, one.first, one.count, length)
    return TryView(trial.kind, trial.width, trial.view, None, None, None)


def _paid(name: str, pay: Pay) -> PayView:
    kind, _, length = name.partition(" ")
    return PayView(kind, int(length) if length else None, pay.trials, pay.seconds, pay.gained)
