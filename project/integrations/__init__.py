"""Other programs: service accounts that call the API with a token of their own, and webhooks that are sent events."""
