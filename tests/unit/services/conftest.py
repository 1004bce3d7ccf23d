from tests.support.services.fixtures import house, make_house

__all__ = ["house", "make_house"]
