"""Sales orders, their lines and the movements of lines through production (specification 2; contract, section 4)."""
