"""What a page asks for at its start, in one answer (infra/docs/rules.md#live-events)."""
