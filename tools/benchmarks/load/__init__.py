"""What the service bears: rising concurrency, limits in their order, a long mixed load."""
