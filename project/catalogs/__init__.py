"""Customers, products, components, materials, production processes (specification 1, section 3)."""
