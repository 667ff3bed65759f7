"""Batches: lines that go through a process together, as a casting tree, a plating bath or an oven."""
