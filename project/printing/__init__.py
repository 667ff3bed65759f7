"""Work sheets: a line on paper, with a code that only this installation can read (specification 2, section 9)."""
