"""The ways of signing in beside the password: one-time codes, passkeys, and the company's account."""
