"""Drivers, transactions, migrations and named queries; no domain."""
