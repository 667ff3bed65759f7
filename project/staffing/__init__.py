"""Who works in which production process, and which customer an account belongs to.

Identity and catalogs know nothing of each other; staffing knows both and writes users and processes. A foreign key to
`User.id_if_customer` refuses a customer for an account of the staff. See infra/docs/rules.md#accounts.
"""
