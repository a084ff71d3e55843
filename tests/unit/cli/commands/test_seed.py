"""`anamnesis seed` against a scripted server."""

from anamnesis.memory.v1 import lesson_service_pb2 as pb
from anamnesis.memory.v1.memory_pb2 import MEMORY_KIND_LEARNING, MEMORY_KIND_PROCEDURAL
from anamnesis.memory.v1.seed_pb2 import Seed, SeededMemory
from anamnesis_libs.errors import SeedingNotAllowed
from tests.support.scripted_suite import Script
from tests.unit.cli.conftest import Run


def test_what_comes_is_listed_with_how_sure_it_is(run: Run, script: Script) -> None:
    one = SeededMemory(
        memory_id="n-1", kind=MEMORY_KIND_LEARNING, summary="turn\x1b on WAL", confidence=0.56
    )
    script.answer("SeedNamespace", pb.SeedNamespaceResponse(memories=[one], known=2, refused=1))
    answer = run(
        "seed", "from", "kitchen", "-n", "bakery", "--kind", "lessons", "--tag", "sqlite",
        "--limit", "7", "--private", "--as-agent", "juno",
    )  # fmt: skip
    assert "0.56 learning turn␛ on WAL n-1" in " ".join(answer.stdout.split())
    assert "1 came from kitchen to bakery, 2 known" in answer.stderr
    assert "1 passed over: the policy of bakery refuses such texts" in answer.stderr
    (asked,) = script.asked(pb.SeedNamespaceRequest)
    assert (asked.namespace, asked.source_namespace, asked.limit) == ("bakery", "kitchen", 7)
    assert list(asked.kinds) == [MEMORY_KIND_LEARNING]
    assert asked.private_to_agent
    assert asked.caller.agent_id == "juno"


def test_a_dry_run_names_what_would_be_copied(run: Run, script: Script) -> None:
    one = SeededMemory(source_memory_id="m-1", kind=MEMORY_KIND_PROCEDURAL, summary="git push")
    script.answer("SeedNamespace", pb.SeedNamespaceResponse(memories=[one]))
    answer = run("seed", "from", "kitchen", "--dry-run")
    assert "m-1" in answer.stdout
    assert "1 would come" in answer.stderr


def test_a_refusal_says_who_can_allow_it(run: Run, script: Script) -> None:
    script.answer("SeedNamespace", SeedingNotAllowed("kitchen", "bakery"))
    answer = run("seed", "from", "kitchen", "-n", "bakery")
    assert answer.exit_code == 1
    assert "anamnesis policy -n SOURCE --seeds NAMESPACE" in answer.stderr


def test_seeds_say_if_erasures_reach_them(run: Run, script: Script) -> None:
    listed = [
        Seed(source_namespace="kitchen", memories=9, confirmed=2, source_present=True),
        Seed(source_namespace="office", agent_id="juno", memories=1),
    ]
    script.answer("ListSeeds", pb.ListSeedsResponse(seeds=listed))
    lines = [" ".join(line.split()) for line in run("seed", "list").stdout.splitlines()]
    assert any(line.startswith("kitchen all 9 2") and "reach here" in line for line in lines)
    assert any(line.startswith("office juno 1 0") for line in lines)


def test_a_withdrawal_says_what_stays(run: Run, script: Script) -> None:
    script.answer("WithdrawSeed", pb.WithdrawSeedResponse(withdrawn=7, confirmed=2))
    answer = run("seed", "withdraw", "kitchen")
    assert "7 from kitchen withdrawn" in answer.stdout
    assert "2 stay" in answer.stderr
    run("seed", "withdraw", "kitchen", "--confirmed")
    assert [one.include_confirmed for one in script.asked(pb.WithdrawSeedRequest)] == [False, True]
