"""The metal of the workshop: where each milligram is, and what was lost (infra/docs/rules.md#metal)."""
