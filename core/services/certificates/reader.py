"""Creates certificates: the solution of a job with everything that proves its lower bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.metric import BoundProof, Metric, count_slides
from tilework.core.services.certificates.bounds import find_bound_proof
from tilework.core.services.farm.proof_tree import (
    ProofPages,
    Tree,
    read_slices,
    record_deleted,
    summarize,
)
from tilework.core.services.jobs.solution_views import view_stored_solution
from tilework.core.solver.work_unit import engine_version
from tilework.core.storage.database import Database


@dataclass(frozen=True, slots=True)
class CertificateView:
    """A certificate that can be written once.

    ``chunks``: of the JSON text; the record of the search is read while they are written.
    """

    solution: SolutionView
    chunks: Iterator[str]


_Record = tuple[Tree, ProofPages]
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
        return self._read(job_id)

    def _read(self, job_id: str) -> CertificateView | None:
        with self._storage.reading() as session:
            answer = session.job_views.answer(job_id, self._storage.reading)
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
            record = map(_summarize_tree, trees)
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

    def _proving_trees(self, solve_id: str, lower_bound: int) -> tuple[Proof, list[_Record]]:
        """Return the trees whose search proves a bound; each continues the previous one."""
        with self._storage.reading() as session:
            proven = session.slices.proven_bound(solve_id)
        # Bounds only decrease if everything was discarded; a new search may be under way.
        if proven.lower_bound < lower_bound:
            raise record_deleted()
        trees: list[_Record] = []
        bound, is_connected = lower_bound, True
        for pages in self._thresholds(solve_id, proven.epoch, lower_bound):
            tree = summarize(pages)
            if is_connected and tree.complete and tree.next == bound:
                trees.insert(0, (tree, pages))
                bound = tree.threshold
            elif trees:
                break
            elif not tree.complete:
                return Proof.INCOMPLETE, []
            else:
                is_connected = False
        return (Proof.SLICES, trees) if trees else (Proof.ONE_PROCESS, [])

    def _thresholds(self, solve_id: str, epoch: int, below: int) -> Iterator[ProofPages]:
        """Yield the stored record of each threshold below a bound, the last one first."""
        while True:
            with self._storage.reading() as session:
                threshold = session.slices.last_threshold(solve_id, epoch, below)
            if threshold is None:
                return
            yield ProofPages(self._storage, solve_id, epoch, threshold)
            below = threshold


def _make_header(solution: SolutionView, answer: StoredSolution, proof: Proof) -> CertificateHeader:
    start, goal = solution.start, solution.goal
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
        lower_bound_proof=_find_bound_proof(solution, proof),
        search=SearchRecord(algorithm=answer.algorithm, nodes=answer.nodes, seconds=answer.seconds),
        canonical=CanonicalRecord.from_form(canonicalize(start, goal)),
    )


def _find_bound_proof(solution: SolutionView, proof: Proof) -> BoundProof:
    if proof is not Proof.ONE_PROCESS:
        return BoundProof.SEARCH
    start, goal = solution.start, solution.goal
    return find_bound_proof(
        start, goal, solution.metric.moves_for(solution.lower_bound, start.size)
    )


def _summarize_iteration(iteration: Iteration, next_threshold: int) -> _Threshold:
    header = ThresholdHeader(
        threshold=iteration.threshold,
        nodes=iteration.nodes,
        seconds=iteration.seconds,
        next=next_threshold,
    )
    return header, iter(())


def _summarize_tree(record: _Record) -> _Threshold:
    tree, pages = record
    header = ThresholdHeader(
        threshold=tree.threshold, nodes=tree.nodes, seconds=tree.seconds, next=tree.next
    )
    return header, read_slices(tree, pages)
