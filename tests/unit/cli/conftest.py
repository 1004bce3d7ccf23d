from tests.support.cli.doctor import find
from tests.support.cli.runner import tilework

__all__ = ["find", "tilework"]
