"""Global search over orders, lines, customers and products."""
