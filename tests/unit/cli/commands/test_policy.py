"""`anamnesis policy` against a scripted server."""

import json

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis.memory.v1 import event_pb2, policy_pb2
from anamnesis.memory.v1.namespace_pb2 import Namespace
from anamnesis.memory.v1.policy_pb2 import AgentSwitch, Policy
from anamnesis_libs.errors.not_found import NamespaceNotFound
from tests.support.scripted_suite import Script
from tests.unit.cli.conftest import Run

HELD = Policy(
    forgetting=policy_pb2.FORGETTING_POLICY_KEEP,
    redaction_level=policy_pb2.REDACTION_LEVEL_DEFAULT,
    redaction_action=policy_pb2.REDACTION_ACTION_REDACT,
    visibility_default=event_pb2.VISIBILITY_SHARED,
    agents=[AgentSwitch(agent_id="old", recall_off=True), AgentSwitch(agent_id="back")],
    cold_days=30,
)


def _held(script: Script, after: Policy = HELD) -> None:
    script.answer("GetNamespace", pb.GetNamespaceResponse(namespace=Namespace(policy=HELD)))
    script.answer("UpdateNamespacePolicy", pb.UpdateNamespacePolicyResponse(policy=after))


def test_shows_what_holds_and_changes_nothing(run: Run, script: Script) -> None:
    _held(script)
    answer = run("policy", "-n", "team-a")
    assert answer.exit_code == 0
    rows = [" ".join(line.split()) for line in answer.stdout.splitlines()]
    assert "redaction default" in rows
    assert "kinds all" in rows
    assert "cold days 30" in rows
    assert "agents old (recall off)" in rows
    assert script.asked(pb.UpdateNamespacePolicyRequest) == []


def test_changes_what_options_name_and_no_more(run: Run, script: Script) -> None:
    _held(script, Policy(redaction_level=policy_pb2.REDACTION_LEVEL_STRICT))
    answer = run("policy", "--redaction", "strict", "--cold-days", "0", "--json")
    assert json.loads(answer.stdout)["redaction_level"] == "REDACTION_LEVEL_STRICT"
    (asked,) = script.asked(pb.UpdateNamespacePolicyRequest)
    assert asked.policy.redaction_level == policy_pb2.REDACTION_LEVEL_STRICT
    assert asked.policy.cold_days == 0
    assert list(asked.update_mask.paths) == ["cold_days", "redaction_level"]


def test_says_who_may_be_seeded_from_here(run: Run, script: Script) -> None:
    _held(script, Policy(seeds_to=["*"]))
    shown = " ".join(run("policy", "--seeds", "any").stdout.split())
    assert "seeds any" in shown
    _held(script, Policy())
    run("policy", "--seeds", "bakery", "--seeds", "mill")
    assert "seeds none" in " ".join(run("policy", "--seeds", "none").stdout.split())
    asked = script.asked(pb.UpdateNamespacePolicyRequest)
    assert [list(one.policy.seeds_to) for one in asked] == [["*"], ["bakery", "mill"], []]
    assert {path for one in asked for path in one.update_mask.paths} == {"seeds_to"}


def test_says_how_much_a_context_may_have_and_wants(run: Run, script: Script) -> None:
    _held(script, Policy(context_tokens=400, context_floor=0.05))
    answer = run("policy", "--context-tokens", "400", "--context-floor", "0.05")
    assert "context 400 tokens, floor +0.05" in " ".join(answer.stdout.split())
    (asked,) = script.asked(pb.UpdateNamespacePolicyRequest)
    assert (asked.policy.context_tokens, asked.policy.context_floor) == (400, 0.05)
    assert list(asked.update_mask.paths) == ["context_floor", "context_tokens"]
    _held(script, Policy())
    assert "context 1,024 tokens" in " ".join(run("policy", "--context-floor", "0").stdout.split())


def test_switches_one_agent_and_leaves_the_others(run: Run, script: Script) -> None:
    _held(script)
    run("policy", "--agent-off", "scraper", "--agent-on", "back")
    (asked,) = script.asked(pb.UpdateNamespacePolicyRequest)
    assert list(asked.policy.agents) == [
        AgentSwitch(agent_id="old", recall_off=True),
        AgentSwitch(agent_id="scraper", recall_off=True, mining_off=True),
    ]


def test_a_predicate_goes_from_one_list_to_the_other(run: Run, script: Script) -> None:
    held = Policy(single_valued_predicates=["colour"], many_valued_predicates=["Lives_in", "owns"])
    script.answer("GetNamespace", pb.GetNamespaceResponse(namespace=Namespace(policy=held)))
    script.answer("UpdateNamespacePolicy", pb.UpdateNamespacePolicyResponse(policy=held))
    answer = run("policy", "--single-valued", "lives_in", "--many-valued", "colour")
    (asked,) = script.asked(pb.UpdateNamespacePolicyRequest)
    assert list(asked.policy.single_valued_predicates) == ["lives_in"]
    assert list(asked.policy.many_valued_predicates) == ["owns", "colour"]
    assert list(asked.update_mask.paths) == ["many_valued_predicates", "single_valued_predicates"]
    rows = [" ".join(line.split()) for line in answer.stdout.splitlines()]
    assert "many-valued Lives_in, owns" in rows


def test_kinds_are_a_list_and_all_is_all_of_them(run: Run, script: Script) -> None:
    _held(script)
    _held(script)
    run("policy", "--kind", "UUID", "--kind", "JWT", "--found", "block")
    run("policy", "--kind", "all")
    first, second = script.asked(pb.UpdateNamespacePolicyRequest)
    assert list(first.policy.redaction_kinds) == ["UUID", "JWT"]
    assert first.policy.redaction_action == policy_pb2.REDACTION_ACTION_BLOCK
    assert list(second.policy.redaction_kinds) == []
    assert list(second.update_mask.paths) == ["redaction_kinds"]


def test_a_namespace_that_is_not_there_is_created_with_it(run: Run, script: Script) -> None:
    script.answer("GetNamespace", NamespaceNotFound("team-a"))
    made = Policy(redaction_level=policy_pb2.REDACTION_LEVEL_STRICT)
    script.answer("CreateNamespace", pb.CreateNamespaceResponse(namespace=Namespace(policy=made)))
    assert run("policy", "-n", "team-a", "--redaction", "strict").exit_code == 0
    (asked,) = script.asked(pb.CreateNamespaceRequest)
    assert (asked.namespace, asked.policy) == ("team-a", made)


def test_one_that_is_not_there_is_not_created_by_a_look(run: Run, script: Script) -> None:
    script.answer("GetNamespace", NamespaceNotFound("team-a"))
    answer = run("policy", "-n", "team-a")
    assert answer.exit_code != 0
    assert "team-a" in answer.stderr
    assert script.asked(pb.CreateNamespaceRequest) == []


def test_users_own_is_what_nothing_says(run: Run, script: Script) -> None:
    _held(script, Policy())
    answer = run("policy", "--visibility", "own")
    (asked,) = script.asked(pb.UpdateNamespacePolicyRequest)
    assert asked.policy == Policy()
    assert list(asked.update_mask.paths) == ["visibility_default"]
    assert "own: of the user that a write names, else shared" in " ".join(answer.stdout.split())


def test_private_makes_what_is_stored_each_users_own(run: Run, script: Script) -> None:
    _held(script)
    made = pb.MadePrivate(sessions=2, memories=1_200, nobodys=1, nobodys_ids=["m-7"])
    steps = [
        pb.MakePrivateResponse(progress=pb.WorkProgress(stage="sessions", done=1, total=2)),
        pb.MakePrivateResponse(done=made),
    ]
    script.answer("MakePrivate", *steps)
    answer = run("policy", "-n", "team-a", "--private")
    (asked,) = script.asked(pb.MakePrivateRequest)
    assert asked.namespace == "team-a"
    assert "2 sessions and 1,200 memories are their users' own now" in answer.stderr
    assert "m-7" in answer.stderr
    assert run("policy", "--private", "--redaction", "off").exit_code == 2


def test_experience_is_shared_and_taken_back(run: Run, script: Script) -> None:
    for word, shared in (("shared", True), ("own", False)):
        _held(script, Policy(share_experience=shared))
        answer = run("policy", "--experience", word)
        asked = script.asked(pb.UpdateNamespacePolicyRequest)[-1]
        assert (list(asked.update_mask.paths), asked.policy.share_experience) == (
            ["share_experience"],
            shared,
        )
        assert f"experience {word}" in [" ".join(one.split()) for one in answer.stdout.splitlines()]


def test_where_people_are_is_named(run: Run, script: Script) -> None:
    _held(script, Policy(time_zone="Asia/Shanghai"))
    answer = run("policy", "--time-zone", "Asia/Shanghai")
    assert answer.exit_code == 0
    (asked,) = script.asked(pb.UpdateNamespacePolicyRequest)
    assert asked.policy.time_zone == "Asia/Shanghai"
    assert list(asked.update_mask.paths) == ["time_zone"]
    assert "time zone Asia/Shanghai" in " ".join(answer.stdout.split())
