"""Checking a certificate, step by step; nothing that is read from it is trusted."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import OptionError, ProofError, ReplayError
from core.formats.certificate import CanonicalRecord, Certificate, Proof
from core.puzzle.board import Board
from core.puzzle.canonical import Canonical, canonicalize
from core.puzzle.moves import from_letters
from core.puzzle.replay import replay
from core.solver.kernels.constants import MAX_CELLS
from core.solver.optimal.cursor import Cursor
from core.solver.optimal.proof import Claim, claims_of
from core.solver.optimal.redo import redo
from core.solver.optimal.slice import first_threshold, search_slice
from core.solver.optimal.version import engine_version

_NO_END = 1 << 62

Watch = Callable[[list[Claim]], Iterable[Claim]]
"""Iterates over claims, and may show progress."""


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """How many slices to search again, which, and with what.

    Attributes
    ----------
    sample : int or None
        How many; None for all of them.
    seed : int
        The same one draws the same slices again.
    pdb_folder : Path or None
        Folder of the pattern databases; None for the user's cache folder.
    """

    sample: int | None
    seed: int
    pdb_folder: Path | None = None


@dataclass
class Findings:
    """What was checked, by name, and the fault that was found, if any."""

    checked: dict[str, str] = field(default_factory=dict)
    fault: str | None = None


def examine(certificate: Certificate, options: VerifyOptions, watch: Watch = iter) -> Findings:
    """Check everything in a certificate.

    Raises
    ------
    BoardError
        If its tiles do not make a board.
    """
    board = Board(certificate.board, certificate.width, certificate.height)
    goal = Board(certificate.goal, certificate.width, certificate.height)
    findings = Findings({"board": str(board.size), "written by": certificate.engine_version})
    if certificate.engine_version != engine_version():
        findings.checked["verified by"] = engine_version()
    try:
        _check_moves(certificate, board, goal, findings)
        form = _canonical(certificate, board, goal)
        _check_bound(certificate, form, findings, options, watch)
    except (ProofError, ReplayError) as error:
        findings.fault = str(error)
    return findings


def _check_moves(certificate: Certificate, board: Board, goal: Board, findings: Findings) -> None:
    replay(board, from_letters(certificate.moves), goal)
    length, lower = certificate.length, certificate.lower_bound
    if length != len(certificate.moves):
        raise ProofError(f"it has {len(certificate.moves)} moves and says {length}")
    findings.checked["moves"] = f"{length}, replayed to the goal"
    if lower > length or certificate.optimal != (lower == length):
        raise ProofError(
            f"a solution of {length} moves is optimal just where the bound is {length}; "
            f"the certificate says {lower}"
        )


def _canonical(certificate: Certificate, board: Board, goal: Board) -> Canonical:
    form = canonicalize(board, goal)
    if certificate.canonical != CanonicalRecord.of(form):
        raise ProofError("the board that was searched is not the canonical form of the one given")
    return form


def _check_bound(
    certificate: Certificate,
    form: Canonical,
    findings: Findings,
    options: VerifyOptions,
    watch: Watch,
) -> None:
    if certificate.proof is Proof.INCOMPLETE:
        raise ProofError("the record of the search is incomplete, so it proves no bound")
    if certificate.proof is Proof.SLICES:
        trees = certificate.thresholds
        claims = claims_of(form.board, certificate.lower_bound, trees)
        nodes = sum(tree.nodes for tree in trees)
        findings.checked["thresholds"] = (
            f"{', '.join(str(tree.threshold) for tree in trees)}: {len(claims)} slices, "
            f"{nodes:,} nodes, cover each tree exactly"
        )
        _search_again(form, claims, findings, options, watch)
    else:
        findings.checked["lower bound"] = _prove(
            form.board, form.goal, certificate.lower_bound, options.pdb_folder
        )


def _search_again(
    form: Canonical, claims: list[Claim], findings: Findings, options: VerifyOptions, watch: Watch
) -> None:
    # What was only cut in parts was searched in its parts.
    chosen = [claim for claim in claims if claim.record.engine is not None]
    count = len(chosen)
    if options.sample is not None and options.sample < count:
        chosen = random.Random(options.seed).sample(chosen, options.sample)
    missing: dict[str, str] = {}
    redone = 0
    for claim in watch(chosen):
        engine = claim.record.engine or ""
        if engine in missing:
            continue
        try:
            redo(form.board, form.goal, claim, options.pdb_folder)
        except OptionError as error:
            missing[engine] = str(error)
        else:
            redone += 1
    drawn = "all" if len(chosen) == count else f"drawn with --seed {options.seed}"
    findings.checked["searched again"] = f"{redone} of {count} slices, {drawn}"
    if missing:
        raise ProofError(
            f"{len(chosen) - redone} of the slices drawn could not be searched here: "
            + "; ".join(missing.values())
        )


def _prove(board: Board, goal: Board, bound: int, pdb_folder: Path | None) -> str:
    """Prove again, from nothing, that no solution is shorter; say how.

    Raises
    ------
    ProofError
        If that is not so.
    """
    from core.solver.heuristics.lower_bound import lower_bound
    from core.solver.solve import solve

    if lower_bound(board, goal) >= bound:
        return f"{bound}, by the distances of the tiles"
    if board.size.cells > MAX_CELLS:
        if solve(board, goal, pdb_folder=pdb_folder).lower_bound >= bound:
            return f"{bound}, by the same search again"
        raise ProofError(f"the search, done again, does not prove a lower bound of {bound}")
    if first_threshold(board, goal, pdb_folder) >= bound:
        return f"{bound}, by the estimate"
    # Lengths have one parity: the next shorter solution would have two moves less.
    outcome = search_slice(board, goal, bound - 2, Cursor.root(), _NO_END, pdb_folder=pdb_folder)
    if outcome.moves is not None:
        raise ProofError(f"there is a solution of {len(outcome.moves)} moves")
    return f"{bound}, by a search of {outcome.nodes:,} nodes for anything shorter"
