from hypothesis import settings

# Machines are shared and a first call may compile: no example is failed for its time.
settings.register_profile("tilework", deadline=None)
settings.load_profile("tilework")
