"""Bills and pre-bills for the lines of orders."""
