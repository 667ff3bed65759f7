"""Reports of sales orders, the dashboard, and the flow of pieces (infra/docs/rules.md#reports)."""
