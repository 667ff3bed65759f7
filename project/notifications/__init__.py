"""Notifications for the staff: pieces inside a process for too long, lines late or likely late, customers' answers."""
