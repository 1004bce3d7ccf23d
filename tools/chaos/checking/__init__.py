"""Whether what was seen and what is stored is as it must be, and what it cost."""
