"""What an operator keeps an installation with, by the command line: backups, restores, and what ails it."""
