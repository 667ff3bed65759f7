"""Wall screens. An administrator pairs a screen by a code and names it. It shows the board until it is revoked."""
