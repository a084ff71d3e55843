"""Conversions between protobuf messages and values."""
