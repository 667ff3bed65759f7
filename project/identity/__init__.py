"""Users, roles and sign-in (specification 1; contract, section 2)."""
