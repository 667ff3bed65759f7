"""Undo of whole presses, also of those that moved a batch."""
