"""Chapter 1: how a block of C is cut up, who owns what, and what it takes."""
