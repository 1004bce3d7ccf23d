"""Certificates: a job's solution together with all that proves its lower bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from core.errors import NotFoundError
from core.formats.certificate import (
    CanonicalRecord,
    CertificateHead,
    Proof,
    SearchRecord,
    SliceRecord,
    ThresholdRecord,
    write_certificate,
)
from core.optimal.version import engine_version
from core.puzzle.canonical import Transform, canonicalize
from core.puzzle.packing import unpack_board
from core.services.answers import solution_view
from core.services.ports import Storage
from core.services.records import Answer, ProofSlice
from core.services.views import SolutionView


@dataclass(frozen=True, slots=True)
class CertificateView:
    """A certificate, ready to be written once.

    Attributes
    ----------
    pieces : iterator of str
        The JSON.
    """

    solution: SolutionView
    pieces: Iterator[str]


@dataclass(frozen=True, slots=True)
class _Tree:
    """All that is kept of the search of one threshold, oldest slice first."""

    threshold: int
    slices: list[ProofSlice]

    @property
    def next(self) -> int:
        """Least f over the threshold, which is then proved; the threshold where there is none."""
        least = (piece.least_over for piece in self.slices if piece.least_over is not None)
        return min(least, default=self.threshold)

    @property
    def whole(self) -> bool:
        """Whether everything is there that a proof needs, as it is in rows of this version."""
        parents = {piece.parent_id for piece in self.slices}
        ids = {piece.id for piece in self.slices}
        roots = sum(piece.parent_id is None for piece in self.slices)
        told = all(piece.engine is not None or piece.id in parents for piece in self.slices)
        return roots == 1 and parents <= ids | {None} and told


class ReadCertificate:
    """Looks, and changes nothing."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def __call__(self, job_id: str) -> CertificateView | None:
        """Return the certificate of the best solution known of a job's board; None without one.

        Raises
        ------
        NotFoundError
            If there is no such job.
        ReplayError
            If the stored moves do not solve the board.
        """
        with self._storage.reading() as session:
            answer = session.jobs.answer(job_id)
        if answer is None:
            raise NotFoundError(f"there is no job {job_id!r}")
        if answer.moves is None or answer.solve_id is None:
            return None
        solution = solution_view(
            unpack_board(answer.board_bytes),
            unpack_board(answer.goal_bytes),
            Transform.from_text(answer.transform),
            answer.moves,
            answer.lower_bound,
        )
        # Bounds only improve: what proved the bound that was just read is still there.
        trees = self._trees(answer.solve_id, answer.lower_bound)
        proving = _proving(trees, answer.lower_bound)
        if proving:
            proof = Proof.SLICES
        elif all(tree.whole for tree in trees):
            proof = Proof.ONE_PROCESS
        else:
            proof = Proof.INCOMPLETE
        head = _head(solution, answer, proof)
        pieces = write_certificate(head, solution.moves, map(_record, proving))
        return CertificateView(solution, pieces)

    def _trees(self, solve_id: str, lower_bound: int) -> list[_Tree]:
        slices: list[ProofSlice] = []
        last: ProofSlice | None = None
        with self._storage.reading() as session:
            while page := session.slices.proof(solve_id, last):
                slices += page
                last = page[-1]
        return [
            _Tree(threshold, list(pieces))
            for threshold, pieces in groupby(slices, lambda piece: piece.threshold)
            if threshold < lower_bound
        ]


def _proving(trees: list[_Tree], lower_bound: int) -> list[_Tree]:
    """Return the last trees that lead to a bound, each from the one before, lowest first."""
    proving: list[_Tree] = []
    bound = lower_bound
    for tree in reversed(trees):
        if tree.next != bound or not tree.whole:
            break
        proving.insert(0, tree)
        bound = tree.threshold
    return proving


def _head(solution: SolutionView, answer: Answer, proof: Proof) -> CertificateHead:
    start, goal = solution.start, solution.goal
    return CertificateHead(
        engine_version=engine_version(),
        width=start.width,
        height=start.height,
        board=start.cells.tolist(),
        goal=goal.cells.tolist(),
        length=len(solution.moves),
        lower_bound=solution.lower_bound,
        optimal=solution.optimal,
        proof=proof,
        search=SearchRecord(algorithm=answer.algorithm, nodes=answer.nodes, seconds=answer.seconds),
        canonical=CanonicalRecord.of(canonicalize(start, goal)),
    )


def _record(tree: _Tree) -> ThresholdRecord:
    """Number the slices of a tree from 0, the oldest first."""
    numbers = {piece.id: number for number, piece in enumerate(tree.slices)}
    return ThresholdRecord(
        threshold=tree.threshold,
        nodes=sum(piece.nodes for piece in tree.slices),
        seconds=sum(piece.seconds for piece in tree.slices),
        next=tree.next,
        slices=[
            SliceRecord(
                id=numbers[piece.id],
                parent=None if piece.parent_id is None else numbers[piece.parent_id],
                cursor=piece.cursor.hex(),
                nodes=piece.nodes,
                least_over=piece.least_over,
                engine=piece.engine,
            )
            for piece in tree.slices
        ],
    )
