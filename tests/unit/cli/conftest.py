from tests.support.cli.running import executable, program, terminal, tilework

__all__ = ["executable", "program", "terminal", "tilework"]
