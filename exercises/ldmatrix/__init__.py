"""Chapter 3: who supplies a row, who receives its elements."""
