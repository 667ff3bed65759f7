"""Who changed what, when, from where, before and after: one row a change, in the change's own transaction."""
