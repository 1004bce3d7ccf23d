"""What is known: jobs, solves, slices, runs, questions, their states and options; no SQL."""
