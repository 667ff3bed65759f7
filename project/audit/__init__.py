"""The audit: who changed what, when and from where, before and after. One row per change, in its transaction."""
