"""KnowledgeService: its rpcs by what they are about, put together in service.py."""
