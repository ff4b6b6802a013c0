"""The operator's Rules Submission: its keys, its findings, and the Rules it binds."""
