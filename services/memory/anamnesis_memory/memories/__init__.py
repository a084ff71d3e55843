"""Writes of memories: create, learn, edit, merge, assign; policy and working memory."""
