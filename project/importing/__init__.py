"""Catalogs from spreadsheets: upload, preview row by row, apply in one transaction (decision 0009)."""
