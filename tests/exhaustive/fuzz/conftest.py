from tests.integration.fuzz.conftest import description, patches, target

__all__ = ["description", "patches", "target"]
