"""Prints work sheets, bills and pay slips as PDF (infra/docs/rules.md#printing)."""
