from tests.unit.solver.kernels.depth_first_program import summary
from tests.unit.solver.kernels.uncompiled import printed_uncompiled


def test_the_same_without_the_compiler():
    assert printed_uncompiled("tests.unit.solver.kernels.depth_first_program") == summary()
