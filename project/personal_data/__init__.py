"""Personal data: the export of all data about a person, and its erasure."""
