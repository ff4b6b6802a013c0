"""Logs audited to the cent: every record of a file settled again, and every difference listed."""
