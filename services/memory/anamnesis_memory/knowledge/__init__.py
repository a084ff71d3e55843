"""Knowledge over time, as writes and reads of memories: facts that are told and taken back, names.

The rules are in `facts` and `entities`; here is what they mean for memories.
"""
