"""The ledger: sessions and their events, the segments they are cut into, and how long they stay."""
