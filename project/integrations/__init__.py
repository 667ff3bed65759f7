"""Integration of other programs: service accounts call the API with tokens, webhooks receive events."""
