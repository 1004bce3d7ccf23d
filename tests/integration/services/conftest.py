from functools import partial

import pytest

from tests.support.services.scripted_solver import ANY
from tilework.core.services.certificates.reader import CertificateReader
from tilework.core.services.farm import proof_tree
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.solver.target import Algorithm


class SmallSlices(LocalSolver):
    """Leaves the complete proof to the search in slices, and keeps the slices small."""

    nodes = 800

    def __init__(self, pdb_folder):
        super().__init__(pdb_folder)
        self.solve = partial(self.construct, self.solve)

    @staticmethod
    def construct(solve, board, goal, **options):
        options |= {"target": ANY, "algorithm": Algorithm.CONSTRUCTIVE}
        return solve(board, goal, **options)

    def search(self, *arguments, nodes, cancelled):
        return super().search(*arguments, nodes=min(nodes, self.nodes), cancelled=cancelled)


@pytest.fixture
def real_service(service, pattern_databases):
    service.solver = LocalSolver(pattern_databases)
    return service


@pytest.fixture
def sliced_service(service, pattern_databases, monkeypatch):
    service.solver = SmallSlices(pattern_databases)
    monkeypatch.setattr(proof_tree, "PAGE", 3)
    return service


def read_certificate_text(service, job):
    view = CertificateReader(service.database)(job.id)
    return None if view is None else "".join(view.chunks)
