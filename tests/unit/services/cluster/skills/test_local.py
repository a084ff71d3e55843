"""Skills in the lessons' own words: what is common, in order, and nothing that no lesson says."""

import pytest

from anamnesis_cluster.skill_model import Evidence, Path, Step
from anamnesis_cluster.skills.gates import structure_of, thinness, unheard
from anamnesis_cluster.skills.local import propose
from anamnesis_cluster.skills.wording import slug, text_of
from anamnesis_cluster.skills.words import command_of, common_form, head_of, remedy_of, step_of

PUSH = "command=git push 2>&1 | tail -3, description=Push to remote\nfatal: no upstream"
RESOLVED = "Bash: command=git push --set-upstream origin {}, description=Push with tracking"


def lesson(
    number: int, title: str, context: str, resolution: str, category: str = "error"
) -> Evidence:
    text = f"{title}\n{context}\n{resolution}"
    return Evidence(f"m-{number}", text, title, context, resolution, category, f"s-{number}")


def pushes() -> list[Evidence]:
    branches = ("kiln-1", "loom-2")
    return [
        lesson(at, f"fatal: The branch {name} has no upstream.", PUSH, RESOLVED.format(name))
        for at, name in enumerate(branches)
    ]


def test_errors_that_differ_in_a_name_become_one() -> None:
    skill = propose("push", pushes(), [])
    assert skill is not None
    assert (skill.name, skill.trigger) == ("git-push", "`git push` is run, and when it fails.")
    (advice,) = skill.advice
    assert advice.when == "fatal: The branch … has no upstream."
    assert advice.do == "`git push --set-upstream origin …`"
    assert skill.source_ids == ("m-0", "m-1")


def test_lessons_without_anything_in_common_make_no_skill() -> None:
    told = [
        lesson(1, "Frost on the tomatoes", "the night was cold", "Cover them before dusk."),
        lesson(2, "Invoice without a number", "the client asked", "Count them by year."),
    ]
    assert propose("mixed", told, []) is None


def test_rules_in_words_are_told_by_the_words_that_they_share() -> None:
    told = [
        lesson(1, "", "订单页面发布之前", "先跑一遍订单测试。", "pattern"),
        lesson(2, "", "订单页面回滚之后", "再跑一遍订单测试。", "pattern"),
    ]
    skill = propose("订单", told, [])
    assert skill is not None
    assert "订单" in skill.trigger
    assert {one.do for one in skill.advice} == {"先跑一遍订单测试。", "再跑一遍订单测试。"}
    assert not skill.failures


def test_steps_are_those_that_all_ways_share_in_their_order() -> None:
    def way(memory_id: str, *steps: str) -> Path:
        return Path(
            memory_id, "push", "", tuple(Step(one, sources=(memory_id,)) for one in steps), "s-0"
        )

    ways = [
        way("p-1", "run make test", "bump the version", "run git commit", "run git push"),
        way("p-2", "run make test", "run git commit", "tell the team", "run git push"),
    ]
    skill = propose("push", pushes(), ways)
    assert skill is not None
    assert [step.do for step in skill.steps] == ["run make test", "run git commit", "run git push"]
    assert skill.steps[0].sources == ("p-1", "p-2")
    assert "1. run make test\n2. run git commit\n3. run git push" in text_of(skill)


def test_a_step_is_told_as_one_types_it_without_the_call_that_failed_before() -> None:
    call = "Bash: command=git push 2>&1, description=Push to remote"
    way = Path("p-1", "push", "", (Step(call, "pushed", "not command=git psh"),), "s-0")
    skill = propose("push", pushes(), [way])
    assert skill is not None
    assert skill.steps == (Step("Push to remote: `git push 2>&1`", "pushed"),)


@pytest.mark.parametrize(
    ("context", "command", "head"),
    [
        (PUSH, "git push", "git push"),
        (
            "command=cd web && npm run check 2>&1 | grep error, timeout=30",
            "npm run check",
            "npm run",
        ),
        ("command=FOO=1 pytest -q, description=Test", "FOO=1 pytest -q", "pytest"),
        ("`git push 2>&1 | tail -3` (Push to remote)\nfatal: no upstream", "git push", "git push"),
        ("`echo `date` > now`", "echo `date` > now", "echo"),
        ("the meeting was moved", "", ""),
    ],
)
def test_a_command_is_read_without_what_cuts_its_output(
    context: str, command: str, head: str
) -> None:
    assert command_of(context) == command
    assert head_of(command) == head


def test_a_remedy_leaves_out_what_is_said_in_passing() -> None:
    told = (
        "Ah! Let me check the config. The port was taken. "
        "Bash: command=lsof -i :5432, description=Look Bash: command=make serve, description=Again "
        "Edit: file_path=~/app/serve.toml, new_string=port = 5433"
    )
    assert remedy_of(told, "make serve") == (
        "The port was taken. `lsof -i :5432` In `~/app/serve.toml` write `port = 5433`."
    )


def test_calls_in_marks_are_told_as_they_are_typed() -> None:
    told = (
        "The port was taken.\nBash: `lsof -i :5432` (Look)\nBash: `make serve` (Again)\n"
        "Edit: file_path=app.py, new_string=sa.Column(sa.Integer(), nullable=False)"
    )
    assert remedy_of(told, "make serve") == (
        "The port was taken. `lsof -i :5432` "
        "In `app.py` write `sa.Column(sa.Integer(), nullable=False)`."
    )
    assert step_of("Bash: `make serve` (Serve it)") == "Serve it: `make serve`"


def test_a_shell_that_was_given_its_command_alone_is_a_call_too() -> None:
    told = "The name was old.\nbash: sed -i s/a/b/ x.ts\nbash: npm run check 2>&1 | tail -3"
    assert remedy_of(told) == "The name was old. `sed -i s/a/b/ x.ts` `npm run check`"


def test_an_error_is_told_by_its_first_line() -> None:
    told = lesson(1, r"Validation failed:\n\n[FORMAT] Not formatted.", PUSH, "Run `mix format`.")
    skill = propose("push", [told, *pushes()], [])
    assert skill is not None
    assert "Validation failed:" in {one.when for one in skill.advice}


def test_what_two_texts_share_is_marked_where_they_differ() -> None:
    assert common_form("drop 3 rows of a", "drop 15 rows of a") == "drop … rows of a"
    assert slug("`git push`", "x") == "git-push"
    assert slug("订单", "") == "skill"


def test_commands_and_figures_of_nowhere_are_found() -> None:
    evidence = "Run `make check` and wait 30 s."
    assert unheard("Run `make check`, wait 30 s.", evidence) == []
    assert unheard("Run `make … check`.", "make the check") == []
    assert unheard("Run `rm -rf /`, wait 90 s.", evidence) == ["rm -rf /", "90"]


def test_a_skill_that_keeps_more_of_its_lessons_is_built_better() -> None:
    told = [*pushes(), lesson(3, "fatal: rejected", PUSH, "Pull with a rebase before you push.")]
    less, more = propose("push", told[:2], []), propose("push", told, [])
    assert less is not None
    assert more is not None
    scores = [structure_of(one, text_of(one), told) for one in (less, more)]
    assert scores[0] < scores[1] <= 1.0
    assert "tokens" in thinness(more, 100)
    assert thinness(more, 200) == ""


def test_a_value_may_hold_commas_and_equal_signs() -> None:
    edit = "Edit: file_path=m.py, old_string=f(x), new_string=f(x, nullable=True, path=None)"
    assert remedy_of(edit) == "In `m.py` write `f(x, nullable=True, path=None)`."
    assert command_of('command=py -c "f(x, key=1)", description=Try') == 'py -c "f(x, key=1)"'
