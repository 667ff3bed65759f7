"""What an operator keeps an installation with: backups, restores, the doctor, health, metrics and traces."""
