"""The memory service's side of the wire: servicers, conversions, and what every call does around."""
