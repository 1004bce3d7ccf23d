from tests.system.up.running_system import patient, start

__all__ = ["patient", "start"]
