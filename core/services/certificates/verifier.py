"""Checks a certificate step by step, without trusting any of its contents."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tilework.core.errors import OptionError, ProofError, ReplayError
from tilework.core.formats.certificate import CanonicalRecord, Certificate, Proof
from tilework.core.messages import Message, plural, untranslated
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Canonical, canonicalize
from tilework.core.puzzle.metric import BoundProof, Metric, count_slides, proof_name
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.phrases import moves, slides
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits
from tilework.core.solver.heuristics.lower_bounds import best_lower_bound, distance_bound
from tilework.core.solver.kernels.constants import MAX_CELLS
from tilework.core.solver.kernels.depth_first.search import MAX_DEPTH
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.proof import Claim, derive_claims, recheck_claim
from tilework.core.solver.optimal.slice import first_threshold, search_slice
from tilework.core.solver.result import engine_version
from tilework.core.solver.slides.find import ida_star_slides, open_slide_tables
from tilework.core.solver.slides.patterns import SlidePatterns
from tilework.core.solver.solve import solve
from tilework.core.solver.strategy import A_STAR_CELLS, SLIDES_CELLS

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


_NO_END = 1 << 62

Track = Callable[[list[Claim]], Iterable[Claim]]
"""Iterates over claims, and may show progress."""


@dataclass
class Findings:
    """The result of each check, by name, and the error that ended them, if any."""

    results: dict[str, Message] = field(default_factory=dict)
    error: Message | None = None


def examine(certificate: Certificate, options: VerifyOptions, track: Track = iter) -> Findings:
    """Check everything in a certificate.

    Raises BoardError if its tiles are not a valid board.
    """
    board = Board(certificate.board, certificate.width, certificate.height)
    goal = Board(certificate.goal, certificate.width, certificate.height)
    findings = Findings(
        {
            "board": untranslated(str(board.size)),
            "written by": untranslated(certificate.engine_version),
        }
    )
    if certificate.engine_version != engine_version():
        findings.results["verified by"] = untranslated(engine_version())
    try:
        _check_moves(certificate, board, goal, findings)
        form = _canonical(certificate, board, goal)
        _check_bound(certificate, form, findings, options, track)
    except (ProofError, ReplayError) as error:
        findings.error = error.message
    return findings


def _check_moves(certificate: Certificate, board: Board, goal: Board, findings: Findings) -> None:
    solution = from_letters(certificate.moves)
    replay(board, solution, goal)
    length, lower, metric = certificate.length, certificate.lower_bound, certificate.metric
    if length != len(certificate.moves):
        raise ProofError(
            "certificate-length",
            "the solution has {moves}, but the certificate gives its length as {length}",
            moves=moves(len(certificate.moves)),
            length=length,
        )
    if certificate.slides != (count_slides(solution) if metric is Metric.SLIDES else None):
        raise ProofError(
            "certificate-slides",
            "the solution has {slides}, but the certificate, which counts {metric}, gives {given}",
            slides=slides(count_slides(solution)),
            metric=metric.value,
            given=str(certificate.slides),
        )
    description = length if metric is Metric.MOVES else metric.describe(count_slides(solution))
    findings.results["moves"] = Message(
        "moves-replayed", "{length}, replayed to the goal", length=description
    )
    upper = metric.length(solution)
    if lower > upper or certificate.optimal != (lower == upper):
        raise ProofError(
            "certificate-optimal",
            "the certificate gives a solution of {moves}, a lower bound of {lower} and optimal as "
            "{optimal}, which contradict each other",
            moves=metric.describe(upper),
            lower=lower,
            optimal=str(certificate.optimal).lower(),
        )


def _canonical(certificate: Certificate, board: Board, goal: Board) -> Canonical:
    form = canonicalize(board, goal)
    if certificate.canonical != CanonicalRecord.from_form(form):
        raise ProofError(
            "certificate-canonical",
            "the board that was searched is not the canonical form of the given board",
        )
    return form


def _check_bound(
    certificate: Certificate,
    form: Canonical,
    findings: Findings,
    options: VerifyOptions,
    track: Track,
) -> None:
    bound_proof, bound = certificate.lower_bound_proof, certificate.lower_bound
    in_slides = certificate.metric is Metric.SLIDES
    if in_slides and bound_proof is BoundProof.SEARCH:
        _check_slides(certificate, form, findings, options)
        return
    if in_slides or certificate.proof is Proof.THRESHOLDS:
        check_no_record(certificate)
    if bound_proof is not BoundProof.SEARCH:
        _recompute_bound(form, certificate, bound_proof)
        findings.results["lower bound"] = Message(
            "bound-by-named-proof",
            "{bound}, by {proof}",
            bound=bound,
            proof=proof_name(bound_proof),
        )
        return
    if certificate.proof is Proof.INCOMPLETE:
        raise ProofError(
            "certificate-incomplete",
            "the record of the search is incomplete, so it proves no bound",
        )
    if certificate.proof is Proof.SLICES:
        trees = certificate.thresholds
        claims = derive_claims(form.board, form.goal, certificate.lower_bound, trees)
        nodes = sum(tree.nodes for tree in trees)
        findings.results["thresholds"] = plural(
            "trees-covered",
            "{thresholds}: {count} slice, {nodes:,} nodes, covers each tree exactly",
            "{thresholds}: {count} slices, {nodes:,} nodes, cover each tree exactly",
            count=len(claims),
            thresholds=", ".join(str(tree.threshold) for tree in trees),
            nodes=nodes,
        )
        _search_again(form, claims, findings, options, track)
    else:
        findings.results["lower bound"] = _prove(
            form.board, form.goal, certificate.lower_bound, options.pdb_folder
        )


def _check_slides(
    certificate: Certificate, form: Canonical, findings: Findings, options: VerifyOptions
) -> None:
    """Prove again that no solution has fewer slides: by slides, on large boards by moves."""
    board, goal, bound = form.board, form.goal, certificate.lower_bound
    if board.size.cells <= SLIDES_CELLS:
        findings.results |= check_thresholds(certificate, form, options)
        return
    check_no_record(certificate)
    moves_bound = certificate.metric.moves_for(bound, board.size)
    findings.results["lower bound"] = Message(
        "slides-by-moves",
        "{bound}, because every solution has at least that many moves: {proof}",
        bound=bound,
        proof=_prove(board, goal, moves_bound, options.pdb_folder),
    )


def _recompute_bound(form: Canonical, certificate: Certificate, bound_proof: BoundProof) -> None:
    """Compute a bound again with the method that the certificate names."""
    if bound_proof is BoundProof.TILE_GROUPS:
        moves_bound = best_lower_bound(form.board, form.goal).value
    else:
        conflicts = bound_proof is BoundProof.LINEAR_CONFLICT
        moves_bound = distance_bound(form.board, form.goal, conflicts=conflicts).value
    recomputed = certificate.metric.bound(moves_bound, form.board.size)
    if recomputed < certificate.lower_bound:
        raise ProofError(
            "bound-over-proof",
            "the certificate gives a lower bound of {bound} by {proof}, which proves only {proved}",
            bound=certificate.lower_bound,
            proof=proof_name(bound_proof),
            proved=recomputed,
        )


def _search_again(
    form: Canonical, claims: list[Claim], findings: Findings, options: VerifyOptions, track: Track
) -> None:
    # A slice that was only split was searched in its parts.
    sample = [claim for claim in claims if claim.record.engine is not None]
    count = len(sample)
    if options.sample is not None and options.sample < count:
        sample = random.Random(options.seed).sample(sample, options.sample)
    missing: dict[str, Message] = {}
    repeated = 0
    for claim in track(sample):
        engine = claim.record.engine or ""
        if engine in missing:
            continue
        try:
            recheck_claim(form.board, form.goal, claim, options.pdb_folder)
        except OptionError as error:
            missing[engine] = error.message
        else:
            repeated += 1
    if len(sample) == count:
        drawn = Message("all-slices", "all")
    else:
        drawn = Message("drawn-slices", "chosen with --seed {seed}", seed=options.seed)
    findings.results["searched again"] = Message(
        "slices-redone",
        "{redone} of {count} slices, {drawn}",
        redone=repeated,
        count=count,
        drawn=drawn,
    )
    if missing:
        raise ProofError(
            "slices-not-searched",
            "{count} of the sampled slices could not be searched here: {reason}",
            count=len(sample) - repeated,
            reason=next(iter(missing.values())),
        )


def _prove(board: Board, goal: Board, bound: int, pdb_folder: Path | None) -> Message:
    """Prove from scratch that no solution is shorter than a bound; return the method.

    Raises ProofError if there is a shorter solution.
    """
    # The number of moves of every solution has the parity of the distance, so round up to it.
    bound += (bound - board.manhattan(goal)) % 2
    if distance_bound(board, goal).value >= bound:
        return Message("bound-by-distances", "{bound}, by the tiles' distances", bound=bound)
    if board.size.cells > A_STAR_CELLS and best_lower_bound(board, goal).value >= bound:
        return Message(
            "bound-by-named-proof",
            "{bound}, by {proof}",
            bound=bound,
            proof=proof_name(BoundProof.TILE_GROUPS),
        )
    if board.size.cells > MAX_CELLS:
        if solve(board, goal, pdb_folder=pdb_folder).lower_bound >= bound:
            return Message("bound-by-search", "{bound}, by repeating the search", bound=bound)
        raise ProofError(
            "bound-not-proved",
            "the repeated search does not prove a lower bound of {bound}",
            bound=bound,
        )
    if first_threshold(board, goal, pdb_folder) >= bound:
        return Message("bound-by-estimate", "{bound}, by the estimate", bound=bound)
    # The next shorter solution has two moves less.
    threshold = min(bound - 2, MAX_DEPTH - 1)
    outcome = search_slice(board, goal, threshold, Cursor.root(), _NO_END, pdb_folder=pdb_folder)
    if outcome.moves is not None:
        raise ProofError(
            "shorter-solution",
            "there is a shorter solution: {moves}",
            moves=moves(len(outcome.moves)),
        )
    return Message(
        "bound-by-new-search",
        "{bound}, by a search of {nodes:,} nodes for a shorter solution",
        bound=bound,
        nodes=outcome.nodes,
    )


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
