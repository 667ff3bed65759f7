"""The station: a screen at one process, where people scan what they bring in and take out.

See infra/docs/rules.md#station.
"""
