"""Makes the weights that tell the digits of tiles in pictures apart."""
