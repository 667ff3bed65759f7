"""Forecasts: when each line will probably be done, from the workshop's own history (infra/docs/rules.md#forecast)."""
