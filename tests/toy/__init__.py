"""A game of the tests' own: one file and one TOML, to prove that a game needs no more."""
