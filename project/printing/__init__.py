"""Work sheets: a line on paper, with a code that only this installation can read (infra/docs/rules.md#printing)."""
