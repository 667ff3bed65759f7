"""Piece work: what left a process is paid, and a payment can be taken back (specification 2, sections 3 and 4)."""
