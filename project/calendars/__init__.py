"""Calendars: the delivery days of orders as a feed by a secret address (infra/docs/rules.md#calendars)."""
