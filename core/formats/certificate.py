"""Certificates: a solution and the proof of its lower bound, as one JSON object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import islice
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tilework.core.errors import InputError
from tilework.core.formats.solutions import format_letters
from tilework.core.formats.spellings import shorten
from tilework.core.messages import Message
from tilework.core.puzzle.canonical import Canonical
from tilework.core.puzzle.metric import BoundProof, Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.validation import describe_error

Count = Annotated[int, Field(ge=0)]
Cursor = Annotated[str, Field(pattern=r"^([0-9a-f]{2})+$")]
Tiles = Annotated[list[int], Field(min_length=1)]
ShortText = Annotated[str, Field(max_length=200)]
_SLICES_PER_CHUNK = 500


class Proof(StrEnum):
    """The evidence for a lower bound: a record of every slice of the search or of every threshold,
    a search that left no record but can be repeated, or an incomplete record.
    """

    SLICES = "slices"
    THRESHOLDS = "thresholds"
    ONE_PROCESS = "search in one process"
    INCOMPLETE = "incomplete record"


class _Model(BaseModel):
    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, validate_by_name=True, serialize_by_alias=True
    )


class SliceRecord(_Model):
    """A slice of the search tree of one threshold."""

    # Numbers within the threshold; the slice of the whole tree has no parent
    id: Count
    parent: Count | None
    cursor: Cursor  # where the slice started, in hexadecimal
    nodes: Count
    # The smallest f found above the threshold; ``least_over`` in the file
    next_threshold: Count | None = Field(
        validation_alias="least_over", serialization_alias="least_over"
    )
    # The tables and rules of the search; None for a slice that was only split
    engine: ShortText | None


class ThresholdHeader(_Model):
    """A tree that was searched completely without a solution, without its slices."""

    threshold: Count
    nodes: Count
    seconds: float = Field(ge=0, allow_inf_nan=False)  # total over all slices
    next: Count  # the smallest f above the threshold in the tree, a lower bound


class ThresholdRecord(ThresholdHeader):
    """A completely searched tree with its slices."""

    slices: list[SliceRecord]


class CanonicalRecord(_Model):
    """The canonical form of the board, which was searched, and the transform to it."""

    width: Count
    height: Count
    board: Tiles
    goal: Tiles
    transform: ShortText

    @classmethod
    def from_form(cls, form: Canonical) -> CanonicalRecord:
        return cls(
            width=form.board.width,
            height=form.board.height,
            board=form.board.cells.tolist(),
            goal=form.goal.cells.tolist(),
            transform=form.transform.to_text(),
        )


class SearchRecord(_Model):
    """The algorithm of the best solution, and the total effort of all searches."""

    algorithm: ShortText | None
    nodes: Count
    seconds: float = Field(ge=0, allow_inf_nan=False)


class CertificateHeader(_Model):
    """All fields of a certificate except the moves and thresholds."""

    format: Literal["tilework certificate"] = "tilework certificate"
    version: Literal[1] = 1
    engine_version: ShortText
    width: Count
    height: Count
    # As given, row by row, 0 for the blank
    board: Tiles
    goal: Tiles
    length: Count  # of the solution, in moves
    slides: Count | None = None  # of the solution; missing in files of older versions
    # The unit of the lower bound; moves in files of older versions
    metric: Metric = Field(Metric.MOVES, strict=False)
    lower_bound: Count
    optimal: bool
    proof: Proof = Field(strict=False)
    # The proof of the bound; missing in files of older versions
    lower_bound_proof: BoundProof = Field(BoundProof.SEARCH, strict=False)
    search: SearchRecord
    canonical: CanonicalRecord


class Certificate(CertificateHeader):
    """A complete certificate."""

    # ``UDLR``, the directions of the tiles
    moves: Annotated[str, Field(pattern="^[UDLR]*$")]
    thresholds: list[ThresholdRecord]


def format_certificate(
    header: CertificateHeader,
    moves: MoveSequence,
    thresholds: Iterable[tuple[ThresholdHeader, Iterable[SliceRecord]]],
) -> Iterator[str]:
    """Yield a certificate in chunks of a few hundred slices."""
    # Older versions of Tilework, which know only moves, can read certificates without these.
    exclude = {"slides", "metric"} if header.metric is Metric.MOVES else None
    yield header.model_dump_json(exclude=exclude)[:-1] + ',"moves":"'
    yield from format_letters(moves)
    yield '","thresholds":['
    separator = "\n"
    for threshold, slices in thresholds:
        fields = threshold.model_dump_json(exclude={"slices"})
        yield f'{separator}{fields[:-1]},"slices":[\n'
        yield from _format_slices(iter(slices))
        yield "\n]}"
        separator = ",\n"
    yield "]}\n"


def _format_slices(slices: Iterator[SliceRecord]) -> Iterator[str]:
    separator = ""
    while chunk := list(islice(slices, _SLICES_PER_CHUNK)):
        yield separator + ",\n".join(record.model_dump_json() for record in chunk)
        separator = ",\n"


def read_certificate(text: str | bytes) -> Certificate:
    try:
        return Certificate.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        location = ".".join(shorten(str(part)) for part in first["loc"])
        fault = describe_error(first)
        if location:
            fault = Message("at-field", "{field}: {error}", field=location, error=fault)
        raise InputError(
            "certificate-syntax", "this is not a Tilework certificate: {error}", error=fault
        ) from None
