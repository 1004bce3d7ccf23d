from tests.support.cli.running import executable, program, tilework

__all__ = ["executable", "program", "tilework"]
