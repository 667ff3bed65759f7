"""Piece work: what left a process is paid, and a payment can be taken back (infra/docs/rules.md#piecework)."""
