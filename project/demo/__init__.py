"""A believable silver workshop, made through the domains' services."""
