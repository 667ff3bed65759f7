"""A shop floor's movement log: read it, plan it, play it through the public API, compare what came of it."""
