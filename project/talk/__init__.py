"""Talk at the piece: what the staff write about a line, and the calls of its stations (infra/docs/rules.md#talk)."""
