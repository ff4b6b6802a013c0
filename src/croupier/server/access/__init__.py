"""Who may come in: people, roles, logins."""
