"""What the product sends out: one loop for webhooks, pushes and mails, and one client that posts to foreign hosts."""
