"""The API, its events and its answers, described for whoever calls it: generated files and pages."""
