"""Who works in which production process, and which customer an account belongs to (contract, sections 2, 3 and 8)."""
