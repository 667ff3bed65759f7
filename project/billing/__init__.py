"""Deliveries: what is billed to customers, and what was to be (bills and pre-bills)."""
