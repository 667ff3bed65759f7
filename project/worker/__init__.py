"""The worker process and its jobs: what runs at regular times and not in a request."""
