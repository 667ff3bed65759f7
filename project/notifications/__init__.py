"""Notifications for the staff: pieces are inside a process for too long, or a delivery date is near or past."""
