"""What is announced to the staff: lines without an exit, delivery dates that come near."""
