"""Live delivery: events stored with their change, read in commit order, handed to every entitled socket."""
