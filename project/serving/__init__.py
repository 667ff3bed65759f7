"""The parts of the server process around Django: the built client, limits for bodies and connections, disconnects."""
