"""The whole system under random faults, and what its clients saw: ``make chaos``."""
