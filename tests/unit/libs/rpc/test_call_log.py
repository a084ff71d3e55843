"""Tests of rpc/call_log.py: what is told of a call, and at which level."""

import logging

import pytest
from grpc import StatusCode

from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest
from anamnesis_libs.rpc.call_log import host_of, level_of, request_id_of

MEMORY = "/anamnesis.memory.v1.MemoryService/"
ADMIN = "/anamnesis.memory.v1.AdminService/"
LEDGER = "/anamnesis.memory.v1.LedgerService/"


@pytest.mark.parametrize(
    ("method", "code", "level"),
    [
        (MEMORY + "CreateMemory", StatusCode.OK, logging.INFO),
        (MEMORY + "DeleteMemory", StatusCode.OK, logging.INFO),
        (ADMIN + "DeleteNamespace", StatusCode.OK, logging.INFO),
        (MEMORY + "GetMemory", StatusCode.OK, logging.DEBUG),
        (MEMORY + "GetMemory", StatusCode.NOT_FOUND, logging.INFO),
        (ADMIN + "ListNamespaces", StatusCode.OK, logging.DEBUG),
        (LEDGER + "ClaimWork", StatusCode.OK, logging.DEBUG),
        (LEDGER + "ClaimWork", StatusCode.UNAVAILABLE, logging.INFO),
    ],
)
def test_writes_and_failures_are_told(method: str, code: StatusCode, level: int) -> None:
    assert level_of(method, code) == level


@pytest.mark.parametrize(
    ("peer", "host"),
    [("ipv4:127.0.0.1:50051", "127.0.0.1"), ("ipv6:%5B::1%5D:5", "::1"), ("unix:", "unix")],
)
def test_the_host_of_a_peer_alone_is_told(peer: str, host: str) -> None:
    assert host_of(peer) == host


def test_a_request_id_that_is_none_is_not_told() -> None:
    assert request_id_of(AppendEventsRequest(request_id="r-1")) == "r-1"
    assert request_id_of(AppendEventsRequest(request_id="my contents")) == ""
