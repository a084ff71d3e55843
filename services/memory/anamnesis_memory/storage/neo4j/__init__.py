"""Namespaces in one Neo4j database; statements in `.cypher` files."""
