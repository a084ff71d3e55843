"""The code of the whole suite, read once: processes that are forked after it need not read it."""

import importlib

from anamnesis_libs.tokens import load_counter

ENTRANCES = ("cli.main", "memory.wiring", "ingestion.wiring", "cluster.wiring", "retrieval.wiring")

for entrance in ENTRANCES:
    importlib.import_module(f"anamnesis_{entrance}")
load_counter("o200k_base")
