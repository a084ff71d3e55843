"""`anamnesis erase` against a scripted server."""

import json

import pytest

from anamnesis.memory.v1.admin_service_pb2 import (
    DeleteNamespaceRequest,
    DeleteNamespaceResponse,
    DeleteSubjectRequest,
    DeleteSubjectResponse,
    GetNamespaceResponse,
    VerifyErasureRequest,
    VerifyErasureResponse,
)
from anamnesis.memory.v1.erasure_pb2 import CanaryPlace, ErasureReceipt
from anamnesis.memory.v1.namespace_pb2 import Namespace
from tests.support.scripted_suite import Script
from tests.unit.cli.conftest import Run

_RECEIPT = ErasureReceipt(
    records={"memories": 1200, "sessions": 2}, derived_memories=3, kept_for_review=1, files=2
)


@pytest.mark.parametrize(
    ("options", "field", "name"),
    [
        (("--user", "ada"), "user_id", "ada"),
        (("--agent", "helper"), "agent_id", "helper"),
        (("--session", "s-1"), "session_id", "s-1"),
    ],
)
def test_one_subject_is_named(
    run: Run, script: Script, options: tuple[str, str], field: str, name: str
) -> None:
    script.answer("DeleteSubject", DeleteSubjectResponse(receipt=_RECEIPT))
    answer = run("erase", "-n", "team-a", *options, "--yes")
    assert answer.exit_code == 0, answer.output
    (asked,) = script.asked(DeleteSubjectRequest)
    assert (asked.namespace, asked.WhichOneof("subject")) == ("team-a", field)
    assert getattr(asked, field) == name
    assert "1,200" in answer.stdout
    assert "1 stay and are to be reviewed" in " ".join(answer.stderr.split())


@pytest.mark.parametrize(
    "options", [(), ("--user", "a", "--agent", "b"), ("--user", "a", "--whole-namespace")]
)
def test_none_or_several_are_refused(run: Run, script: Script, options: tuple[str, ...]) -> None:
    answer = run("erase", *options, "--yes")
    assert answer.exit_code == 2
    assert not script.asked(DeleteSubjectRequest)


def test_nothing_goes_unless_it_is_confirmed(run: Run, script: Script) -> None:
    answer = run("erase", "--user", "ada", stdin=b"n\n")
    assert answer.exit_code == 1
    assert "erase user 'ada' of default?" in answer.stderr
    assert not script.asked(DeleteSubjectRequest)


def test_a_text_that_is_still_found_is_a_failure(run: Run, script: Script) -> None:
    script.answer("DeleteSubject", DeleteSubjectResponse(receipt=_RECEIPT))
    place = CanaryPlace(store="records", place="memories.content", canary=1, occurrences=4)
    found = VerifyErasureResponse(places=[place], looked_through={"records": 12})
    script.answer("VerifyErasure", found)
    answer = run("erase", "--user", "ada", "--yes", "--verify", "one text", "--verify", "second")
    assert answer.exit_code == 1
    (asked,) = script.asked(VerifyErasureRequest)
    assert [*asked.canaries] == ["one text", "second"]
    assert "memories.content" in answer.stdout
    assert "one text" not in answer.stdout


def test_json_has_the_receipt_and_what_was_found(run: Run, script: Script) -> None:
    script.answer("DeleteSubject", DeleteSubjectResponse(receipt=_RECEIPT))
    script.answer("VerifyErasure", VerifyErasureResponse(looked_through={"records": 12}))
    answer = run("erase", "--user", "ada", "--yes", "--json", "--verify", "text")
    told = json.loads(answer.stdout)
    assert told["receipt"]["records"]["sessions"] in (2, "2")
    assert answer.exit_code == 0


def test_a_namespace_goes_by_its_incarnation(run: Run, script: Script) -> None:
    named = GetNamespaceResponse(namespace=Namespace(namespace="team-a", incarnation="17"))
    script.answer("GetNamespace", named)
    script.answer("DeleteNamespace", DeleteNamespaceResponse(receipt=_RECEIPT))
    answer = run("erase", "-n", "team-a", "--whole-namespace", "--yes")
    assert answer.exit_code == 0, answer.output
    (asked,) = script.asked(DeleteNamespaceRequest)
    assert (asked.namespace, asked.incarnation) == ("team-a", "17")
