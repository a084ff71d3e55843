"""Models behind ports: embedders now, chat models and rerankers beside them."""
