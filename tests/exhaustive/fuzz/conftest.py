from tests.integration.fuzz.conftest import description, target

__all__ = ["description", "target"]
