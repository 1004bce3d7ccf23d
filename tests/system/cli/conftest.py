from tests.support.cli.runner import executable, terminal, tilework

__all__ = ["executable", "terminal", "tilework"]
