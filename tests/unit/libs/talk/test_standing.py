"""Tests of talk/standing.py: what holds from now on, and what only sounds so."""

import pytest

from anamnesis_libs.talk.standing import (
    AMENDMENT,
    CONSTRAINT,
    LIKING,
    RULE,
    announced_rules,
    lays_down,
    standing_kind,
)


@pytest.mark.parametrize(
    "text",
    [
        "Never push to main.",
        "never push to main",
        "Please always answer in two sentences.",
        "From now on, write the tests first.",
        "We use pnpm here, never npm.",
        "Don't deploy on Fridays.",
        "We moved to Porto. Going forward, use metric units.",
        "Call me Kit, please.",
        "Keep the answers short.",
        "No pushes to main are allowed.",
        "The label must be blue.",
        "Tabs instead of spaces, please.",
        "Make sure the changelog is written.",
        "以后回答请简短一点",
        "提交之前必须先跑测试。",
        "不要直接改生产库。",
        "以後請用繁體中文回答",
        "Could you please always answer in German?",
        "Conventions: snake case, four spaces.",
        "Great. New rule: times are aware UTC inside, and local only in api.py.",
        "Rule: one PR per feature",
        "After each release check /healthz before you say it is out.",
        "Before every commit, please run the linter.",
        "Run ruff and mypy before each commit.",
        "One more rule for this repository: small commits",
        "新规矩：时间都存UTC",
        "Please answer in metric, cups confuse me.",
        "I read slowly, so short paragraphs and bullet points please.",
        "面团都是手揉的，绝不用机器。",
        "写Python的时候记得带上类型标注，我们lead卡得严",
        "发朋友圈的文案别写太长，五十字以内",
    ],
)
def test_rules(text: str) -> None:
    assert standing_kind(text, "user") == RULE


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to walnuts.",
        "My sister is a vegan.",
        "I can't eat anything with sesame.",
        "I hurt my left knee last spring.",
        "The staging keys are off-limits for interns.",
        "我对芒果过敏。",
        "我不吃香菜。",
        "只有老周能改线上配置。",
        "我恐高",
        "I'm allergic to walnuts, what can I bake?",
        "Ida gets a rash from wool.",
        "Shrimp makes me ill.",
        "一吃芹菜就肿。",
    ],
)
def test_constraints(text: str) -> None:
    assert standing_kind(text, "user") == CONSTRAINT


@pytest.mark.parametrize(
    "text",
    [
        "Amendment to the refund rule from last month: only with a receipt.",
        "Two updates to the backoff policy we settled a while back.",
        "We're reversing what we decided about the themes.",
        "Let's change the naming convention: snake case now.",
        "The rule we agreed on no longer holds, use UTC.",
        "Correction to what we agreed on yesterday: 30, not 60.",
        "之前定的午休规则改一下，改成一点。",
        "上次商量好的接口要調整，返回列表。",
    ],
)
def test_amendments(text: str) -> None:
    assert standing_kind(text, "user") == AMENDMENT


def test_an_amendment_is_one_before_all_else() -> None:
    assert (
        standing_kind("Amendment to the diet rule: never nuts, I'm allergic.", "user") == AMENDMENT
    )


def test_what_is_both_is_a_constraint() -> None:
    assert standing_kind("Never cook with nuts, I'm allergic.", "user") == CONSTRAINT


@pytest.mark.parametrize(
    "text",
    [
        "He has never been to Rome.",
        "She always wins.",
        "No slips were printed this morning.",
        "No new orders have come in.",
        "I never thought it would rain.",
        "Don't worry about it.",
        "Never mind.",
        "Keep going, you'll get there!",
        "It must be so rewarding.",
        "Writing isn't always easy.",
        "I'll make sure to be there.",
        "Instead of giving up, I rested.",
        "No wonder you slept badly.",
        "No problem!",
        "No idea, sorry.",
        "We moved to Porto in March.",
        "How do I push a tag?",
        "Should we always retry, or only on timeouts?",
        "I was wondering if the flag should be flipped by default.",
        "It feels like the cache should be invalidated.",
        "Could we change the retry policy?",
        "I changed my plans for the weekend.",
        "I love that idea!",
        "Should I stick with Netlify?",
        "I'd love a test for it.",
        "I like how this works.",
        "I'd love to hear more.",
        "I updated the format of the report.",
        "",
        "别人都走了。",
        "我们上周搬到了成都。",
        "不要紧",
        "Before each trip I check the weather.",
        "We ran the tests before each release.",
        "I run after every meal.",
    ],
)
def test_what_does_not_stand(text: str) -> None:
    assert standing_kind(text, "user") == ""


@pytest.mark.parametrize(
    "text",
    [
        "I always love hiking in the hills.",
        "By the way, I tend to avoid high-rise hotels. Any ideas for Tokyo?",
        "I usually prefer unscented products, do you know any?",
        "We can't stand minivans.",
        "I'm not really into period dramas.",
        "As someone who tends to avoid caffeine, I'd like a tea.",
        "我一般只坐靠走廊的位子。",
        "我不太喜欢恐怖片",
        "我对足球不感兴趣。",
    ],
)
def test_a_liking_is_weaker_than_what_is_laid_down(text: str) -> None:
    assert standing_kind(text, "user") == LIKING
    assert standing_kind(text, "assistant") == ""
    assert not lays_down(text, "user")


@pytest.mark.parametrize("role", ["assistant", "tool", "system", ""])
def test_only_a_person_lays_something_down(role: str) -> None:
    assert standing_kind("Never push to main. I'm allergic to nuts.", role) == ""


def test_of_a_long_text_the_beginning_counts() -> None:
    far = "The meeting was long. " * 200
    assert standing_kind(f"Never push to main. {far}", "user") == RULE
    assert standing_kind(f"{far} Never push to main.", "user") == ""


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (
            "Good. A few rules before we start: run the tests with uv. Commits in the imperative.",
            {"A few rules before we start: run the tests with uv.", "Commits in the imperative."},
        ),
        ("New rule: UTC inside. Shall we go on?", {"New rule: UTC inside."}),
        (
            "New rule: UTC inside. Fix the parser. Also add a test whenever we fix a bug.",
            {"New rule: UTC inside.", "Also add a test whenever we fix a bug."},
        ),
        ("Ground rules: tests first. Now go on with the parser.", {"Ground rules: tests first."}),
        (
            "先定几条规矩：提交前跑测试。别动导入器。",
            {"先定几条规矩：提交前跑测试。", "别动导入器。"},
        ),
        ("As a rule I walk to work: it is near.", set()),
        ("The rules of chess are hard.", set()),
        ("What are the rules: black or white?", set()),
    ],
)
def test_what_is_announced_as_a_rule_is_one(text: str, rules: set[str]) -> None:
    assert announced_rules(text) == rules


@pytest.mark.parametrize(
    "text",
    [
        "keep it brief with me today and skip the pep talk please",
        "Use bullet points this time please.",
        "dev and i broke up. no drama, shifts just didn't work",
        "need an ad for the flat: 1 bed, garden, no smokers",
        "今天请只用中文回答",
    ],
)
def test_what_is_laid_down_for_now_does_not_stand(text: str) -> None:
    assert standing_kind(text, "user") == ""


@pytest.mark.parametrize(
    "text", ["From today on, use metric units.", "We agreed today to never push to main."]
)
def test_what_is_laid_down_from_today_on_stands(text: str) -> None:
    assert standing_kind(text, "user") == "rule"
