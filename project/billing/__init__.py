"""Bills and pre-bills of the lines of orders."""
