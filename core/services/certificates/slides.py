"""Checks certificates that count slides, by searching their thresholds again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tilework.core.errors import ProofError
from tilework.core.formats.certificate import Certificate, Proof
from tilework.core.messages import Message
from tilework.core.puzzle.canonical import Canonical
from tilework.core.puzzle.phrases import slides
from tilework.core.search.limits import Limits
from tilework.core.solver.slides.find import open_slide_tables
from tilework.core.solver.slides.patterns import SlidePatterns
from tilework.core.solver.slides.search import ida_star_slides

_PLACEMENTS: Final = 200
"""Placements per pattern whose entries are compared with those of placements one slide away."""


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """Options of a check.

    ``sample``: number of slices to search again; None for all of them.
    ``seed``: seed of the random sample.
    ``pdb_folder``: folder of the pattern databases; None for the user's cache folder.
    """

    sample: int | None
    seed: int
    pdb_folder: Path | None = None


def check_thresholds(
    certificate: Certificate, form: Canonical, options: VerifyOptions
) -> dict[str, Message]:
    """Search every threshold below a bound again, and compare the results with the record.

    Return the result of each check, by name.

    Raises ProofError if there is a solution of fewer slides, or if the record differs.
    Raises DamagedFileError if the pattern databases are damaged.
    """
    bound, record = certificate.lower_bound, certificate.thresholds
    if not record:
        check_no_record(certificate)
    elif certificate.proof is not Proof.THRESHOLDS or any(head.slices for head in record):
        raise _contradiction(certificate)
    tables, databases = open_slide_tables(form.goal, options.pdb_folder)
    SlidePatterns(form.goal.size, form.goal.blank).check_sample(tables.entries, _PLACEMENTS)
    search = ida_star_slides(form.board, tables, Limits(), until=bound)
    databases.confirm()
    if search.moves is not None:
        raise ProofError(
            "shorter-solution",
            "there is a shorter solution: {moves}",
            moves=slides(search.lower_bound),
        )
    repeated = [(head.threshold, head.nodes, head.next) for head in search.thresholds]
    recorded = [(head.threshold, head.nodes, head.next) for head in record]
    if record and (recorded != repeated or recorded[-1][-1] != bound):
        raise ProofError(
            "thresholds-differ",
            "the repeated search does not yield the thresholds, nodes and bounds of the "
            "certificate",
        )
    if not search.thresholds:
        description = Message("bound-by-estimate", "{bound}, by the estimate", bound=bound)
        return {"lower bound": description}
    return {
        "thresholds": Message(
            "thresholds-searched",
            "{thresholds}: searched again, {nodes:,} nodes",
            thresholds=", ".join(str(head.threshold) for head in search.thresholds),
            nodes=search.statistics.generated,
        )
    }


def check_no_record(certificate: Certificate) -> None:
    """Raise ProofError if there is a record of thresholds although none was searched."""
    if certificate.thresholds or certificate.proof is not Proof.ONE_PROCESS:
        raise _contradiction(certificate)


def _contradiction(certificate: Certificate) -> ProofError:
    return ProofError(
        "certificate-record",
        "the certificate counts {metric} and names its proof {proof!r}, which contradicts its "
        "thresholds",
        metric=certificate.metric.value,
        proof=certificate.proof.value,
    )
