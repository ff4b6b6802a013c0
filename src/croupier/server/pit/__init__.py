"""The pit at work: table actors, progressive links, and processes that share the tables."""
