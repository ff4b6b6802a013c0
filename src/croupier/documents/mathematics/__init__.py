"""The mathematics report: its figures, charts and chapters."""
