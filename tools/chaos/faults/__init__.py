"""What is done to the system while it works."""
