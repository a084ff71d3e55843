"""The palace: a view of what ledger and memories hold, as wings, rooms, closets and drawers.

Nothing here is kept by itself. Homes are numbered when their first session begins, rooms when a
session begins, drawers when an event is stored; see `append`, which gives the numbers.
"""
