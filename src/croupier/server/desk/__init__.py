"""The manager's desk: a submission as a form, what it earns, and the pack that is filed."""
