"""Catalogs from spreadsheets: upload, preview row by row, apply in one transaction (infra/docs/rules.md#imports)."""
