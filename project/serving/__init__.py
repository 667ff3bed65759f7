"""What stands around Django in the server process: the built client, limits of bodies and connections, disconnects."""
