"""MemoryService: its rpcs by what they do, put together in service.py."""
