"""A shop floor's movement log: read it, plan it, play it over HTTP, compare the histories with it."""
