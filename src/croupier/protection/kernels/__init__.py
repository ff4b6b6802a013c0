"""The compiled core of game protection: showdowns and decisions when cards are known."""
