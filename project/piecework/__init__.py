"""Pay of piece work: pieces that left a process are paid, and a payment can be canceled
(infra/docs/rules.md#piecework)."""
