"""Sales orders, their lines and the movements of lines through production (infra/docs/rules.md#orders)."""
