"""Who may do what: the permission table, tokens, guards."""
