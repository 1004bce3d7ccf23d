from tests.support.cli.doctor import find
from tests.support.cli.runner import executable, program, terminal, tilework

__all__ = ["executable", "find", "program", "terminal", "tilework"]
