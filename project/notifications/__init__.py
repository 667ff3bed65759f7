"""What staff must be told of: lines without an exit, delivery dates that come near (specification 2, section 4)."""
