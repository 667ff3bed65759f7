"""Notices outside the product: pushes to browsers, mails and the morning's digest, as each person chooses them."""
