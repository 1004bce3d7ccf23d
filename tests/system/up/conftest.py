from tests.system.up.running import patient, start

__all__ = ["patient", "start"]
