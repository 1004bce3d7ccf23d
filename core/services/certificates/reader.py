"""Creates certificates: the solution of a job with everything that proves its lower bound."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tilework.core.formats.certificate import (
    CanonicalRecord,
    CertificateHeader,
    Proof,
    SearchRecord,
    SliceRecord,
    ThresholdHeader,
    format_certificate,
)
from tilework.core.model.farm.solves import Iteration
from tilework.core.model.jobs import StoredSolution
from tilework.core.model.solutions import SolutionView
from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.metric import BoundProof, Metric, count_slides
from tilework.core.services.farm.proof_tree import ProofTree, record_deleted
from tilework.core.services.jobs.solutions import view_stored_solution
from tilework.core.solver.kernels.constants import MAX_CELLS, MAX_GROUP_CELLS, MAX_NEARBY_MOVES
from tilework.core.solver.result import engine_version
from tilework.core.storage.database import Database


@dataclass(frozen=True, slots=True)
class CertificateView:
    """A certificate that can be written once.

    ``chunks``: of the JSON text; the record of the search is read while they are written.
    """

    solution: SolutionView
    chunks: Iterator[str]


_Threshold = tuple[ThresholdHeader, Iterator[SliceRecord]]


class CertificateReader:
    """Creates certificates from stored records."""

    def __init__(self, storage: Database) -> None:
        self._storage = storage

    def __call__(self, job_id: str) -> CertificateView | None:
        """Return the certificate of the best solution of a job's board; None without a solution.

        Raises NotFoundError if there is no such job, and UnavailableError, also while the chunks
        are read, if the search is deleted.
        """
        with self._storage.reading() as session:
            answer = session.job_views.answer(job_id, self._storage.reading)
        with self._storage.handling_damage():
            solution = view_stored_solution(answer)
        if solution is None:
            return None
        proof = Proof.ONE_PROCESS
        record: Iterator[_Threshold] = iter(())
        solve_id = answer.job.solve_id
        if solve_id is not None and solution.metric is Metric.SLIDES:
            proof, record = self._slide_record(solve_id, answer.lower_bound)
        elif solve_id is not None:
            proof, trees = self._proving_trees(solve_id, answer.lower_bound)
            record = ((tree.header, tree.read_slices()) for tree in trees)
        header = _make_header(solution, answer, proof)
        return CertificateView(solution, format_certificate(header, solution.moves, record))

    def _slide_record(self, solve_id: str, lower_bound: int) -> tuple[Proof, Iterator[_Threshold]]:
        """Return the thresholds below a bound that were searched for few slides."""
        with self._storage.reading() as session:
            proven = session.slices.proven_bound(solve_id)
        if proven.lower_bound != lower_bound or not proven.iterations:
            # The bound has improved since the solution was read, or only the estimate proves it.
            return Proof.ONE_PROCESS, iter(())
        bounds = [iteration.threshold for iteration in proven.iterations[1:]] + [lower_bound]
        return Proof.THRESHOLDS, map(_summarize_iteration, proven.iterations, bounds)

    def _proving_trees(self, solve_id: str, lower_bound: int) -> tuple[Proof, list[ProofTree]]:
        """Return the trees whose search proves a bound; each continues the previous one."""
        with self._storage.reading() as session:
            proven = session.slices.proven_bound(solve_id)
        # Bounds only decrease if everything was discarded; a new search may be under way.
        if proven.lower_bound < lower_bound:
            raise record_deleted()
        trees: list[ProofTree] = []
        bound, is_connected = lower_bound, True
        for tree in self._trees(solve_id, proven.epoch, lower_bound):
            if is_connected and tree.complete and tree.header.next == bound:
                trees.insert(0, tree)
                bound = tree.header.threshold
            elif trees:
                break
            elif not tree.complete:
                return Proof.INCOMPLETE, []
            else:
                is_connected = False
        return (Proof.SLICES, trees) if trees else (Proof.ONE_PROCESS, [])

    def _trees(self, solve_id: str, epoch: int, below: int) -> Iterator[ProofTree]:
        """Yield the stored record of each threshold below a bound, the last one first."""
        while True:
            with self._storage.reading() as session:
                threshold = session.slices.last_threshold(solve_id, epoch, below)
            if threshold is None:
                return
            yield ProofTree(self._storage, solve_id, epoch, threshold)
            below = threshold


def _make_header(solution: SolutionView, answer: StoredSolution, proof: Proof) -> CertificateHeader:
    start, goal = solution.start, solution.goal
    bound_proof = BoundProof.SEARCH
    if proof is Proof.ONE_PROCESS:
        moves_bound = solution.metric.moves_for(solution.lower_bound, start.size)
        bound_proof = find_bound_proof(start, goal, moves_bound)
    return CertificateHeader(
        engine_version=engine_version(),
        width=start.width,
        height=start.height,
        board=start.cells.tolist(),
        goal=goal.cells.tolist(),
        length=len(solution.moves),
        slides=count_slides(solution.moves),
        metric=solution.metric,
        lower_bound=solution.lower_bound,
        optimal=solution.optimal,
        proof=proof,
        lower_bound_proof=bound_proof,
        search=SearchRecord(algorithm=answer.algorithm, nodes=answer.nodes, seconds=answer.seconds),
        canonical=CanonicalRecord.from_form(canonicalize(start, goal)),
    )


def _summarize_iteration(iteration: Iteration, next_threshold: int) -> _Threshold:
    header = ThresholdHeader(
        threshold=iteration.threshold,
        nodes=iteration.nodes,
        seconds=iteration.seconds,
        next=next_threshold,
    )
    return header, iter(())


def find_bound_proof(board: Board, goal: Board, lower_bound: int) -> BoundProof:
    """Return the simplest proof of a lower bound, ``search`` if a search may have proved it.

    The database stores only the number. Its proof follows from the board: distances and line
    conflicts are quickly counted in plain Python, and beyond that only groups of tiles on larger
    boards, or the search around a near goal, can raise the bound. So the web can name a proof
    without compiled kernels, and no table needs a column for it.
    """
    manhattan = board.manhattan(goal)
    if lower_bound <= manhattan:
        return BoundProof.MANHATTAN
    # Ruling out the last threshold around a near goal raises the bound by two.
    maybe_searched = board.size.cells <= MAX_CELLS or lower_bound <= MAX_NEARBY_MOVES + 2
    if board.size.cells > MAX_GROUP_CELLS:
        return BoundProof.SEARCH if maybe_searched else BoundProof.LINEAR_CONFLICT
    if lower_bound <= manhattan + _conflicts(board, goal):
        return BoundProof.LINEAR_CONFLICT
    return BoundProof.SEARCH if maybe_searched else BoundProof.TILE_GROUPS


def _conflicts(board: Board, goal: Board) -> int:
    """Return two moves for each tile that must leave its goal line to let others pass."""
    targets = inverse(goal.cells)[board.cells]
    cells = np.arange(board.cells.size)
    tiles = board.cells != 0
    moves = 0
    for line, position in ((0, 1), (1, 0)):
        start, end = np.divmod(cells, board.width), np.divmod(targets, board.width)
        lines: dict[int, list[int]] = defaultdict(list)
        # Cells of a line are in order, along rows and columns alike.
        for cell in np.flatnonzero(tiles & (start[line] == end[line])):
            lines[int(start[line][cell])].append(int(end[position][cell]))
        moves += sum(2 * (len(ends) - _increasing_length(ends)) for ends in lines.values())
    return moves


def _increasing_length(numbers: list[int]) -> int:
    tails: list[int] = []
    for number in numbers:
        position = bisect_left(tails, number)
        tails[position : position + 1] = [number]
    return len(tails)
