"""Customers' pages: links that open a page without an account, what a page shows, and what customers answer there."""
