"""What all benchmarks share: figures and their report, times, boards, systems and clients."""
