from tests.support.services.fixtures import make_service, service

__all__ = ["make_service", "service"]
