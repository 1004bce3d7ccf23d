"""The whole system under random faults: ``make chaos``."""
