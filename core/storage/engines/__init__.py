"""What each of the two kinds of database needs of its connections."""
