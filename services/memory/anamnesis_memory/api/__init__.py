"""The memory service's side of the wire: servicers, conversions, and what is around a call."""
