"""Pay of piece work: payments for pieces that left a process (infra/docs/rules.md#piecework)."""
