"""Certificates: a solution, and the search that proves its lower bound, as one JSON object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import islice
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tilework.core.errors import InputError
from tilework.core.formats.board_tokens import shorten
from tilework.core.formats.solution_moves import letters
from tilework.core.puzzle.canonical import Canonical
from tilework.core.puzzle.metric import BoundProof, Metric
from tilework.core.puzzle.moves import MoveSequence

Count = Annotated[int, Field(ge=0)]
Cursor = Annotated[str, Field(pattern=r"^([0-9a-f]{2})+$")]
Tiles = Annotated[list[int], Field(min_length=1)]
Words = Annotated[str, Field(max_length=200)]
_LINES = 500  # slices in one piece of what is written
_WITHOUT_INPUT = ("missing", "json_invalid")  # kinds of error that do not come from one value


class Proof(StrEnum):
    """What stands behind a lower bound: a record of every part of the search, or of every
    threshold; a search that left no record but can be done again; or a record with holes.
    """

    SLICES = "slices"
    THRESHOLDS = "thresholds"
    ONE_PROCESS = "search in one process"
    INCOMPLETE = "incomplete record"


class _Part(BaseModel):
    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, validate_by_name=True, serialize_by_alias=True
    )


class SliceRecord(_Part):
    """A part of one threshold's tree: where it began, and what came of it.

    Attributes
    ----------
    id, parent : int
        Numbers within the threshold; the whole tree has no parent.
    cursor : str
        Where it began, in hexadecimal.
    next_threshold : int or None
        Least f over the threshold that it met; ``least_over`` in the file.
    engine : str or None
        The tables and rules it searched with; None where it was only cut in parts.
    """

    # Numbers within the threshold; the whole tree has no parent
    id: Count
    parent: Count | None
    cursor: Cursor  # where it began, in hexadecimal
    nodes: Count
    # Least f over the threshold that it met; ``least_over`` in the file
    next_threshold: Count | None = Field(
        validation_alias="least_over", serialization_alias="least_over"
    )
    # The tables and rules it searched with; None where it was only cut in parts
    engine: Words | None


class ThresholdHead(_Part):
    """A tree that was searched completely without a solution; all fields but its slices."""

    threshold: Count
    nodes: Count
    seconds: float = Field(ge=0, allow_inf_nan=False)  # sum over the slices
    next: Count  # least f over the threshold in all of the tree: no solution is shorter


class ThresholdRecord(ThresholdHead):
    """A tree with all its slices."""

    slices: list[SliceRecord]


class CanonicalRecord(_Part):
    """The form of the board that was searched, and the steps that lead to it."""

    width: Count
    height: Count
    board: Tiles
    goal: Tiles
    transform: Words

    @classmethod
    def of(cls, form: Canonical) -> CanonicalRecord:
        return cls(
            width=form.board.width,
            height=form.board.height,
            board=form.board.cells.tolist(),
            goal=form.goal.cells.tolist(),
            transform=form.transform.to_text(),
        )


class SearchRecord(_Part):
    """All effort on the board: the algorithm of its best solution, nodes, seconds of search."""

    algorithm: Words | None
    nodes: Count
    seconds: float = Field(ge=0, allow_inf_nan=False)


class CertificateHead(_Part):
    """All fields of a certificate except the two long ones."""

    format: Literal["tilework certificate"] = "tilework certificate"
    version: Literal[1] = 1
    engine_version: Words
    width: Count
    height: Count
    # As given, row by row, 0 for the blank
    board: Tiles
    goal: Tiles
    length: Count  # of the solution, in moves
    slides: Count | None = None  # of the solution; files of older versions do not say
    # What the lower bound counts, and what is optimal; moves in files of older versions
    metric: Metric = Field(Metric.MOVES, strict=False)
    lower_bound: Count
    optimal: bool
    proof: Proof = Field(strict=False)
    # What proves the bound by itself; files of older versions do not say
    lower_bound_proof: BoundProof = Field(BoundProof.SEARCH, strict=False)
    search: SearchRecord
    canonical: CanonicalRecord


class Certificate(CertificateHead):
    """A whole certificate.

    Attributes
    ----------
    moves : str
        Letters over ``UDLR``, by the way the tile goes.
    """

    # Letters over ``UDLR``, by the way the tile goes
    moves: Annotated[str, Field(pattern="^[UDLR]*$")]
    thresholds: list[ThresholdRecord]


def write_certificate(
    head: CertificateHead,
    moves: MoveSequence,
    thresholds: Iterable[tuple[ThresholdHead, Iterable[SliceRecord]]],
) -> Iterator[str]:
    """Yield a certificate in pieces of at most some hundred slices each."""
    # Earlier versions, which know moves alone, read the others.
    exclude = {"slides", "metric"} if head.metric is Metric.MOVES else None
    yield head.model_dump_json(exclude=exclude)[:-1] + ',"moves":"'
    yield from letters(moves)
    yield '","thresholds":['
    before = "\n"
    for threshold, slices in thresholds:
        facts = threshold.model_dump_json(exclude={"slices"})
        yield f'{before}{facts[:-1]},"slices":[\n'
        yield from _lines(iter(slices))
        yield "\n]}"
        before = ",\n"
    yield "]}\n"


def _lines(slices: Iterator[SliceRecord]) -> Iterator[str]:
    between = ""
    while some := list(islice(slices, _LINES)):
        yield between + ",\n".join(piece.model_dump_json() for piece in some)
        between = ",\n"


def read_certificate(text: str | bytes) -> Certificate:
    try:
        return Certificate.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(shorten(str(part)) for part in first["loc"])
        place += ": " if place else ""
        given = "" if first["type"] in _WITHOUT_INPUT else f", not {shorten(repr(first['input']))}"
        raise InputError(
            "certificate-syntax",
            "this is not a Tilework certificate: {fault}",
            fault=f"{place}{first['msg']}{given}",
        ) from None
