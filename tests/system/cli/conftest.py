from tests.support.cli.running import executable, terminal, tilework

__all__ = ["executable", "terminal", "tilework"]
