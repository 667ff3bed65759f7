"""Users, roles and sign-in (infra/docs/rules.md#accounts)."""
