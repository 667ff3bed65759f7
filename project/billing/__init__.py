"""Bills and pre-bills: what is billed to customers, and what was to be."""
