"""Reports of sales orders, the dashboard, and how pieces flow (specification 2, section 7; contract, section 6)."""
