"""Parts of the product that a workshop may not use: what is off is not in the menu (infra/docs/rules.md#parts)."""
