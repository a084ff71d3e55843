"""Splitting a text into the events of its session, each named after its document and headings."""
