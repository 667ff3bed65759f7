"""Notices to people: in their bell, as pushes and as mails, by each person's preferences. The digest is a mail."""
