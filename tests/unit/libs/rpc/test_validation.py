"""Tests of rpc/validation.py: one violation a broken rule, unknown enum numbers anywhere."""

import pytest

from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis.memory.v1.ledger_service_pb2 import AppendEventsRequest
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.memory_service_pb2 import GetMemoryResponse
from anamnesis_libs.errors import FieldViolation, InvalidArgument
from anamnesis_libs.rpc.validation import check_request, unknown_enums


def _violations(request: MemoryFilter) -> tuple[FieldViolation, ...]:
    with pytest.raises(InvalidArgument) as refused:
        check_request(request)
    return refused.value.violations


def test_a_good_request_passes() -> None:
    check_request(MemoryFilter(agent_id="a", tags=["x"]))


def test_each_broken_rule_is_one_violation() -> None:
    found = _violations(MemoryFilter(agent_id="a" * 257, tags=["ok", "t" * 257], min_importance=2))
    assert {violation.field for violation in found} == {"agent_id", "tags[1]", "min_importance"}
    assert len(found) == 3
    assert all(violation.description for violation in found)


def test_the_message_counts_what_it_does_not_say() -> None:
    with pytest.raises(InvalidArgument, match=r"agent_id: .*\(and 1 more violation"):
        check_request(MemoryFilter(agent_id="a" * 257, user_id="u" * 257))


def test_an_unknown_enum_number_is_one_violation_though_two_rules_find_it() -> None:
    request = MemoryFilter()
    request.ParseFromString(b"\x0a\x02\x01\x63")  # kinds: 1, 99
    assert [violation.field for violation in _violations(request)] == ["kinds[1]"]


def test_a_predefined_rule_reads_as_the_standard_rules_that_it_is_made_of() -> None:
    request = AppendEventsRequest(
        namespace="Upper",
        session_id="s-1",
        agent_id="a" * 257 + "\x00",
        participants=["", "p", "p", "q\x1f", *(str(number) for number in range(61))],
    )
    with pytest.raises(InvalidArgument) as refused:
        check_request(request)
    name = (
        "must be 1 to 63 lower-case letters, digits, `.`, `_` or `-`, with a letter or digit at "
        "both ends, such as team-a; does not match regex pattern "
        "`^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$`"
    )
    sign = r"does not match regex pattern `^[^\x00-\x1f\x7f␟]*$`"
    assert [(each.field, each.description) for each in refused.value.violations] == [
        ("namespace", name),
        ("agent_id", "must be at most 256 characters"),
        ("agent_id", sign),
        ("participants", "must contain no more than 64 item(s)"),
        ("participants", "repeated value must contain unique items"),
        ("participants[0]", "must be at least 1 characters"),
        ("participants[3]", sign),
    ]


def test_unknown_enum_numbers_are_found_at_any_depth() -> None:
    kind = Memory.DESCRIPTOR.fields_by_name["kind"].number
    inner = Memory()
    inner.ParseFromString(bytes([kind << 3, 99]))
    found = list(unknown_enums(GetMemoryResponse(memory=inner)))
    assert [violation.field for violation in found] == ["memory.kind"]
    assert "99 is not a value of anamnesis.memory.v1.MemoryKind" in found[0].description
