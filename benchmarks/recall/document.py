"""A run as one JSON document: what was measured, on what, with what."""

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from benchmarks.recall import reference
from benchmarks.recall.context_report import context_document
from benchmarks.recall.metrics import by_category, interval, percentages
from benchmarks.recall.report import latency_ms
from benchmarks.recall.results import RunResult, SetResult

_PACKAGES = ("anamnesis-suite", "bm25s", "grpcio", "numpy", "onnxruntime", "tokenizers")

Json = Mapping[str, object]


def write(run: RunResult, path: Path) -> None:
    """Write the document."""
    text = json.dumps(document(run), ensure_ascii=False, indent=2)
    path.write_text(f"{text}\n", encoding="utf-8")


def document(run: RunResult) -> Json:
    """The document; figures in per cent, not rounded."""
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "embedder": run.embedder,
        "embedding_model": run.embedding_model,
        "versions": {name: _version(name) for name in _PACKAGES},
        "python": platform.python_version(),
        "machine": {
            "cores": os.cpu_count(),
            "architecture": platform.machine(),
            "system": platform.system(),
        },
        "sets": {result.name: _set(run, result) for result in run.sets},
    }


def _set(run: RunResult, result: SetResult) -> Json:
    p50, p95 = latency_ms(result)
    return {
        "sha256": result.sha256,
        "conversations": result.conversations,
        "turns": result.turns,
        "questions": result.questions,
        "scores": result.scores,
        "any@10_intervals": {
            system: asdict(interval(judged, "any@10")) for system, judged in result.judged.items()
        },
        "categories": {
            system: {
                category: {"questions": len(of_it), **percentages(of_it)}
                for category, of_it in by_category(judged).items()
            }
            for system, judged in result.judged.items()
        },
        "bars": [asdict(bar) | {"met": bar.is_met} for bar in reference.bars(result)],
        "contexts": context_document(result.contexts),
        "search_latency_ms": {"p50": p50, "p95": p95, "at_once": run.searches_at_once},
        "profiles": result.profiles,
        "degraded": result.degraded,
    }


def _version(package: str) -> str:
    """The version of a package; empty if it runs from a checkout that was never installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
