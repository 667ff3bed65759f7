"""Customers, products, components, materials, production processes (infra/docs/rules.md#catalogs)."""
