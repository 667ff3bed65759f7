"""What every domain stands on: errors, clock, pagination, versions. Imports nothing of ours."""
