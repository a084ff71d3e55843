"""`anamnesis stats`: what a namespace holds, or which namespaces there are."""

from collections.abc import Iterator, Mapping

import click
import grpc

from anamnesis.memory.v1.admin_service_pb2 import (
    GetNamespaceRequest,
    GetStatsRequest,
    ListNamespacesRequest,
)
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.namespace_pb2 import Namespace, NamespaceStats
from anamnesis.memory.v1.policy_pb2 import ForgettingPolicy
from anamnesis_cli.call import run
from anamnesis_cli.output import as_dict, console, moment, new_table, note, one_line, print_json
from anamnesis_cli.stats_learning import LearningStats, learning_stats, print_learning
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options, user_option
from anamnesis_libs.rpc.enums import enum_word

_PAGE_SIZE = 500
_EPILOG = """\
\b
Examples:
  anamnesis stats
  anamnesis stats -n team-a --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@user_option
@target_options
@pass_target
def stats(target: Target) -> None:
    """Count what the namespace given with -n holds; without -n, list the namespaces.

    Of a namespace it also tells how far learning is, how the tasks of its sessions went, and what
    models have cost in the last 24 hours.
    """
    if target.namespace:
        _show_one(target)
    else:
        _show_all(target)


def _show_one(target: Target) -> None:
    namespace, counts, learning = run(target, lambda channel: _one(channel, target))
    if target.as_json:
        held = {"namespace": as_dict(namespace), "stats": as_dict(counts)}
        print_json({**held, **learning.as_json()})
        return
    table = new_table("what", "how much", title=f"namespace {one_line(namespace.namespace)}")
    for what, how_much in _rows(namespace, counts):
        table.add_row(what, one_line(how_much))
    console().print(table)
    print_learning(learning)


def _show_all(target: Target) -> None:
    namespaces = run(target, lambda channel: _all(channel, target.timeout_s))
    if target.as_json:
        print_json({"namespaces": [as_dict(namespace) for namespace in namespaces]})
        return
    if not namespaces:
        note("no namespaces yet; `anamnesis ingest PATH` makes the first")
        return
    table = new_table("namespace", "made")
    for namespace in namespaces:
        table.add_row(one_line(namespace.namespace), moment(namespace.create_time))
    console().print(table)
    note("`anamnesis stats -n NAME` counts what one holds")


def _one(channel: grpc.Channel, target: Target) -> tuple[Namespace, NamespaceStats, LearningStats]:
    admin, name, timeout_s = AdminServiceStub(channel), target.namespace, target.timeout_s
    found = admin.GetNamespace(GetNamespaceRequest(namespace=name), timeout=timeout_s)
    counted = admin.GetStats(GetStatsRequest(namespace=name), timeout=timeout_s)
    return found.namespace, counted.stats, learning_stats(channel, target)


def _all(channel: grpc.Channel, timeout_s: float) -> list[Namespace]:
    admin, request = AdminServiceStub(channel), ListNamespacesRequest(page_size=_PAGE_SIZE)
    page = admin.ListNamespaces(request, timeout=timeout_s)
    namespaces = list(page.namespaces)
    while page.next_page_token:
        request.page_token = page.next_page_token
        page = admin.ListNamespaces(request, timeout=timeout_s)
        namespaces += page.namespaces
    return namespaces


def _rows(namespace: Namespace, counts: NamespaceStats) -> Iterator[tuple[str, str]]:
    yield "sessions", f"{counts.sessions:,}"
    yield "events", f"{counts.events:,}"
    yield "memories", f"{counts.memories:,}"
    yield "  by kind", _breakdown(counts.memories_by_kind)
    yield "  by status", _breakdown(counts.memories_by_status)
    yield "  by tier", _breakdown(counts.memories_by_tier)
    yield "  forgetting", _forgetting(namespace)
    yield "clusters", f"{counts.clusters:,}"
    yield "revision", namespace.revision or "-"
    yield "indexed revision", counts.indexed_revision or "-"
    yield "indexed memories", f"{counts.indexed_memories:,}"
    yield "vectors", f"{counts.vectors:,} of {namespace.embedding_dimension} numbers"
    yield "embedding model", namespace.embedding_model or "-"
    yield "waiting for embedding", f"{counts.pending_embeddings:,}"
    yield "store", f"{counts.store_bytes / 1024:,.0f} KiB"
    yield "index in memory", f"{counts.index_bytes / 1024:,.0f} KiB"


def _forgetting(namespace: Namespace) -> str:
    forgetting = namespace.policy.forgetting
    return enum_word(ForgettingPolicy, forgetting) if forgetting else "-"


def _breakdown(counts: Mapping[str, int]) -> str:
    parts = [f"{count:,} {name}" for name, count in sorted(counts.items()) if count]
    return ", ".join(parts) or "-"
