"""What is kept of a person: all of it for him to read, and its erasure."""
