"""The descriptions of the API, its events and its answers for callers: generated files and pages."""
