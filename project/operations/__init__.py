"""The operator's tools: backups, restores, the doctor, health, metrics and traces."""
