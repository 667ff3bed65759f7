"""One search over what people look for all day: orders, lines, customers and products."""
