"""Training of the learned potential: from nothing to the weights that are shipped."""
