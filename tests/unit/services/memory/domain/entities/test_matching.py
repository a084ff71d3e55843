"""Verdicts on two entities, with their reasons, and the choice among known ones."""

import pytest

from anamnesis_memory.domain.entities.kinds import EntityKind as K
from anamnesis_memory.domain.entities.matching import (
    Entity,
    MatchReason,
    Resolution,
    match,
    resolve,
)
from benchmarks.entities.pairs import Pair, figures, judge, read

R = MatchReason
DEV = read("dev")

CASES = [
    (K.PERSON, "Mira Ostrander", "MIRA  OSTRANDER", R.SAME_NAME),
    (K.PERSON, "Prof. Dr. Ulrich Stemme", "Ulrich Stemme", R.BESIDE),
    (K.PERSON, "Dr. Anna Feldt", "Anna Feldt, PhD", R.BESIDE),
    (K.PERSON, "Dr. Lee", "Doctor Lee", R.BESIDE),
    (K.PERSON, "Dr. Lee", "Prof. Lee", R.OTHER_BESIDE),
    (K.PERSON, "Dr. Lee", "Lee", R.OTHER_BESIDE),
    (K.PERSON, "Dr. J. Marlow", "J. Marlow", R.OTHER_BESIDE),
    (K.PERSON, "Dr. K. Marlow", "J. Marlow", R.OTHER_NUMBER),
    (K.PERSON, "J. Whitcombe", "Jeremy Whitcombe", R.OTHER_NUMBER),
    (K.PERSON, "John Smith", "John A. Smith", R.OTHER_NUMBER),
    (K.PERSON, "Harold Finch", "Harold Finch Jr.", R.OTHER_NAME),
    (K.PERSON, "Harold Finch Jr.", "Harold Finch Sr.", R.OTHER_NAME),
    (K.PERSON, "Harold Finch II", "Harold Finch III", R.OTHER_NUMBER),
    (K.PERSON, "赵国栋", "赵国栋教授", R.BESIDE),
    (K.PERSON, "赵国栋总", "赵国栋", R.BESIDE),
    (K.PERSON, "张经理", "张老师", R.OTHER_BESIDE),
    (K.PERSON, "欧阳经理", "欧阳老师", R.OTHER_BESIDE),
    (K.PERSON, "小张老师", "小张经理", R.OTHER_BESIDE),
    (K.PERSON, "小张", "张伟", R.OTHER_NAME),
    (K.PERSON, "Philippa Gainsborough", "Phillipa Gainsborough", R.SLIP),
    (K.PERSON, "Dana Gainsborough", "Dana Gainsborogh", R.SLIP),
    (K.PERSON, "Robert Thompson", "Robert Thomson", R.OTHER_NAME),
    (K.PERSON, "Ida Anderson", "Ida Andersen", R.OTHER_NAME),
    (K.PERSON, "Ida Matthews", "Ida Mathews", R.OTHER_NAME),
    (K.PERSON, "Dr. Dana Gainsborough", "Dana Gainsborogh", R.OTHER_NAME),
    (K.PERSON, "Ann Alee", "Anna Lee", R.OTHER_NAME),
    (K.ORGANISATION, "Acme Inc.", "The ACME Ltd", R.BESIDE),
    (K.ORGANISATION, "Acme S.A.", "Acme", R.BESIDE),
    (K.ORGANISATION, "Acme & Co.", "Acme", R.BESIDE),
    (K.ORGANISATION, "Acme Foods", "Acme Tools", R.OTHER_NAME),
    (K.ORGANISATION, "Phillips", "Philips", R.OTHER_NAME),
    (K.ORGANISATION, "青禾出版社有限公司", "青禾出版社", R.BESIDE),
    (K.ORGANISATION, "远帆科技公司", "远帆文化公司", R.OTHER_NAME),
    (K.ORGANISATION, "公司", "有限公司", R.OTHER_NAME),
    (K.ORGANISATION, "Co.", "Ltd.", R.OTHER_NAME),
    (K.PLACE, "上海", "上海市", R.BESIDE),
    (K.PLACE, "内蒙古", "内蒙古自治区", R.BESIDE),
    (K.PLACE, "湘西州", "湘西土家族苗族自治州", R.BESIDE),
    (K.PLACE, "大理", "大理州", R.OTHER_BESIDE),
    (K.PLACE, "吉林省", "吉林市", R.OTHER_BESIDE),
    (K.PLACE, "西湖", "西湖区", R.OTHER_NAME),
    (K.PLACE, "海淀", "海淀区", R.BESIDE),
    (K.PLACE, "City of Cork", "Cork, Ireland", R.BESIDE),
    (K.PLACE, "Cork, Ireland", "Cork, Australia", R.OTHER_BESIDE),
    (K.PLACE, "Portland, Oregon", "Portland", R.OTHER_NAME),
    (K.PLACE, "Lake Veyra", "Veyra Lake", R.BESIDE),
    (K.PLACE, "Mexico", "Mexico City", R.OTHER_NAME),
    (K.PLACE, "Charleston", "Charlestown", R.OTHER_NAME),
    (K.PLACE, "Gate 3A", "Gate 3B", R.OTHER_NUMBER),
    (K.EVENT, "Midsummer Carnival", "The Midsumer Carnival", R.SLIP),
    (K.EVENT, "2023年会", "2024年会", R.OTHER_NUMBER),
    (K.EVENT, "秋季新品发布会", "秋季新品发部会", R.SLIP),
    (K.PROJECT, "客服系统一期", "客服系统二期", R.OTHER_NUMBER),
    (K.PROJECT, "数据分析平台", "数据分享平台", R.OTHER_NAME),
    (K.PROJECT, "象限数据平台", "像限数据平台", R.OTHER_NAME),
    (K.PROJECT, "Lanternfish", "Lanternfihs", R.OTHER_NAME),
    (K.TECHNOLOGY, "Kubernetes", "Kuberntes", R.SLIP),
    (K.TECHNOLOGY, "Elasticsearch", "Elastisearch", R.SLIP),
    (K.TECHNOLOGY, "Elasticsearch", "Elasricsearch", R.SLIP),
    (K.TECHNOLOGY, "Elasticsearch", "Elaxticxearch", R.OTHER_NAME),
    (K.TECHNOLOGY, "Elasticsearch", "Elapticsearch", R.OTHER_NAME),
    (K.TECHNOLOGY, "Elasticsearch", "Elastocsearch", R.OTHER_NAME),
    (K.TECHNOLOGY, "Elasticsearch", "Eltsaicsearch", R.OTHER_NAME),
    (K.TECHNOLOGY, "Elasticsearch", "Elastciseaerch", R.OTHER_NAME),
    (K.PROJECT, "Tephyrline", "Rephyrline", R.OTHER_NAME),
    (K.PERSON, "Brian Moor", "Brain Moor", R.OTHER_NAME),
    (K.PERSON, "Dana Gainsborough", "Dana Gainsvorough", R.OTHER_NAME),
    (K.PERSON, "Catherine Moor", "Cathrine Moor", R.OTHER_NAME),
    (K.ORGANISATION, "X Inc.", "X Ltd", R.OTHER_NAME),
    (K.PLACE, "Lake Island", "Island Lake", R.OTHER_NAME),
    (K.EVENT, "月度会计表", "月度会记表", R.OTHER_NAME),
    (K.TECHNOLOGY, "Firefox", "Firebox", R.OTHER_NAME),
    (K.TECHNOLOGY, "C", "C++", R.OTHER_NUMBER),
    (K.TECHNOLOGY, "Python 3.1", "Python 31", R.OTHER_NUMBER),
    (K.TOPIC, "stationary shop", "stationery shop", R.OTHER_NAME),
    (K.ITEM, "🎉", "🎊", R.OTHER_NAME),
    (K.PERSON, "", "", R.OTHER_NAME),
]


@pytest.mark.parametrize(("kind", "one", "other", "reason"), CASES)
def test_a_verdict_has_its_reason(kind: K, one: str, other: str, reason: MatchReason) -> None:
    for left, right in ((one, other), (other, one)):
        assert match(Entity(left, kind), Entity(right, kind)).reason is reason


def test_an_alias_speaks_of_the_name_of_the_other_side() -> None:
    robert = Entity("Robert Keller", K.PERSON, ("Bob", "Bob Keller"))
    bob = Entity("bob  keller", K.PERSON)
    assert match(robert, bob).reason is match(bob, robert).reason is R.ALIAS
    roberta = Entity("Roberta Lane", K.PERSON, ("Bob",))
    assert match(robert, roberta).reason is R.OTHER_NAME


def test_another_kind_is_another_thing() -> None:
    one = Entity("Ada", K.PERSON, ("Lovelace",))
    assert match(one, Entity("Ada", K.PROJECT)).reason is R.OTHER_KIND
    assert match(one, Entity("Lovelace", K.AGENT)).reason is R.OTHER_KIND


@pytest.mark.parametrize("pair", DEV, ids=[pair.id for pair in DEV])
def test_nothing_labelled_as_two_is_merged(pair: Pair) -> None:
    verdict = match(pair.one, pair.other)
    assert verdict == match(pair.other, pair.one)
    assert verdict.same is pair.same


def test_figures_count_both_errors() -> None:
    found = figures(judge(DEV))
    assert (found.pairs, found.merged_wrongly, found.precision) == (len(DEV), 0, 1.0)
    swapped = [Pair(p.id, p.language, p.label, p.one, p.other, not p.same) for p in DEV]
    wrong = figures(judge(swapped))
    assert (wrong.precision, wrong.recall) == (0.0, 0.0)
    assert wrong.merged_wrongly + wrong.missed == len(DEV)


def test_the_strongest_reason_wins() -> None:
    known = [
        Entity("Philippa Gainsborough", K.PERSON),
        Entity("Phillipa Gainsborough", K.PERSON),
        Entity("Pippa", K.PERSON, ("Phillipa Gainsborough",)),
    ]
    said = Entity("phillipa gainsborough", K.PERSON)
    assert resolve(said, known) == Resolution(1, R.SAME_NAME)
    assert resolve(said, [known[0], known[2]]) == Resolution(1, R.ALIAS)
    assert resolve(said, known[:1]) == Resolution(0, R.SLIP)


def test_two_that_it_may_be_make_it_a_new_one() -> None:
    known = [Entity("Robert", K.PERSON, ("Bob",)), Entity("Roberta", K.PERSON, ("Bob",))]
    assert resolve(Entity("Bob", K.PERSON), known) == Resolution(None, R.ALIAS, ambiguous=True)
    assert resolve(Entity("Rob", K.PERSON), known) == Resolution(None, None)
    assert resolve(Entity("Rob", K.PERSON), []) == Resolution(None, None)
