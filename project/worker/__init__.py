"""What is due from time to time, whoever is looking: the worker process and its jobs."""
