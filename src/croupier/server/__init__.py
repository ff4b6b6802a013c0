"""The pit: live tables as a service, for people with roles."""
