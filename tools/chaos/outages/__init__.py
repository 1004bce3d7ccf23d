"""What clients are told while a part of the system is away for long."""
