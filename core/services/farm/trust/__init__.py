"""What lets stored work be believed: checks of records, and the mending of damaged rows."""
