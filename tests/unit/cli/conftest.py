from tests.support.cli.doctor import find
from tests.support.cli.running import tilework

__all__ = ["find", "tilework"]
