"""Imports catalogs from spreadsheets: upload, preview each row, apply in one transaction
(infra/docs/rules.md#imports)."""
