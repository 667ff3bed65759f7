"""Reports of sales orders, the dashboard, and how pieces flow (infra/docs/rules.md#reports)."""
