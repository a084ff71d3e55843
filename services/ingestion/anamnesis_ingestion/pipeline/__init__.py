"""The work behind the answers: sessions are cut, measured, learned from and compressed.

What is to be done is state in the ledger. Whoever works claims it under a lease, sends the
result under that lease, and loses nothing by dying: the claim runs out and somebody else
begins the stage again.
"""
