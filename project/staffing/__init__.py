"""Relates users to production processes and to customers (infra/docs/rules.md#accounts).

Identity and catalogs do not import each other. Staffing imports both, and writes users and processes.
"""
