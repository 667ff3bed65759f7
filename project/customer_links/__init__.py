"""Customers' pages: links that open one without an account, what a page shows, and what customers answer there."""
