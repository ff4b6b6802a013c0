"""Whole rounds played by the million: what wagers bring, how sessions end, how meters move."""
