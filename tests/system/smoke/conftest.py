from tests.support.cli.runner import executable, program, tilework

__all__ = ["executable", "program", "tilework"]
