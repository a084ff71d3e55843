"""A prompt as contexts read it: its terms and matters, what it wants, of whom and of when."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from anamnesis_libs.index.analysis import tokens
from anamnesis_libs.talk.asking import (
    asks_advice,
    asks_for_portrait,
    asks_for_rules,
    asks_leave,
    is_about_agent,
    is_about_caller,
    is_about_record,
    is_request,
    manners_of,
    matter_of,
    particulars_asked_for,
    relatives_asked_for,
)
from anamnesis_libs.talk.filler import is_small_talk
from anamnesis_libs.talk.topics import Topics, relations_asked, topics_of, wide_relations
from anamnesis_retrieval.context.then import recalls
from anamnesis_retrieval.model import ConversationKind, ScopeShape
from anamnesis_retrieval.ranking.agenda import time_ahead
from anamnesis_retrieval.ranking.language import is_cjk, names_in
from anamnesis_retrieval.ranking.named_time import (
    NamedTime,
    named_times,
    without_dates,
)
from anamnesis_retrieval.ranking.newest import is_about_past
from anamnesis_retrieval.ranking.searched import as_searched
from anamnesis_retrieval.ranking.turns import time_of_changes

_WORD = re.compile(r"[^\W_]+")
_CJK_FUNCTION = frozenset(
    "的了是我你您他她它们們在有和与與就不也都吗嗎呢吧啊呀么麼什怎哪里裡儿兒那这這个個多少几幾谁誰为為要会會能可以叫请請给給"
    "帮幫一下现現家次还還最到从從上把被让讓说說看想用来來去过過得地很太再又只才对對没沒如果但因所"
)
_CJK = re.compile(r"[\u3400-\u9fff]")
_CJK_PAIR = re.compile(r"[\u3400-\u9fff]{2}")


@dataclass(frozen=True, slots=True)
class PromptReading:
    """A prompt as it was read, beside the statistics of a scope.

    `terms` has the weight of each term that the scope has, by its rarity there; `strangers` are
    names, of which the scope knows none; `characters` the Chinese characters with a meaning.
    """

    query: str
    terms: Mapping[str, float]
    topics: Topics
    strangers: Sequence[str]
    characters: frozenset[str]
    pairs: frozenset[str]
    """Two of those side by side, where they are no words of any request: 迁移."""
    is_cjk: bool
    is_talk: bool
    is_request: bool
    asks_leave: bool
    asks_advice: bool
    for_rules: bool
    about_caller: bool
    about_agent: bool
    about_record: bool
    about_past: bool
    manners: Sequence[str] = ()
    """The manners asked for in a log of work: a rule, a reason, an attempt."""
    times: Sequence[NamedTime] = ()
    """The past times that the prompt names."""
    recalls_time: bool = False
    """True where all is asked for that was said, in a time or in the last talk."""
    ahead: NamedTime | None = None
    """The time of which all is asked for that lies ahead in it."""
    changed: NamedTime | None = None
    """The time of which is asked what changed in it in the asker's life."""
    portrays: bool = False
    """True where it asks who its asker is; then terms and topics are those of an introduction."""
    relations: frozenset[str] = frozenset()
    """The relations of its topics, and those that its wide words stand for: my family."""
    surveys: bool = False
    """True where one word asks for much of the asker's life: "my family", "my hobbies"."""
    relatives: frozenset[str] = frozenset()
    """The relations of the caller's relatives that it asks about, such as `family.siblings`."""
    particulars: tuple[str, ...] = ()
    """The particulars of the caller that it asks for, such as `birthday`."""

    def share_of(self, terms: Iterable[str]) -> float:
        """The share of its terms that these are, by their weights; 0 to 1."""
        whole = sum(self.terms.values())
        return sum(self.terms[term] for term in terms) / whole if whole else 0.0


def read_prompt(query: str, scope: ScopeShape, asked_at: datetime | None = None) -> PromptReading:
    """Read a prompt beside the scope that was searched for it."""
    absent, recalls_time = frozenset(scope.absent), recalls(query, asked_at)
    portrays, searched = asks_for_portrait(query), as_searched(query, asked_at)
    known = [term for term in dict.fromkeys(tokens(searched)) if term not in absent]
    return PromptReading(
        query=query,
        terms=dict(zip(known, scope.term_weights, strict=False)),
        topics=topics_of(searched),
        strangers=_strangers(query, scope, absent),
        characters=frozenset(_CJK.findall(query)) - _CJK_FUNCTION,
        pairs=_pairs(query),
        is_cjk=is_cjk(query),
        is_talk=is_small_talk(query) and searched == query,
        is_request=is_request(query) and not recalls_time,
        asks_leave=asks_leave(query),
        asks_advice=asks_advice(query),
        for_rules=asks_for_rules(query),
        about_caller=is_about_caller(query),
        about_agent=is_about_agent(searched),
        about_record=is_about_record(query),
        about_past=is_about_past(query),
        manners=manners_of(query) if scope.kind is ConversationKind.PLAIN else (),
        times=named_times(query, asked_at),
        recalls_time=recalls_time,
        portrays=portrays,
        changed=time_of_changes(query, asked_at),
        ahead=time_ahead(query, asked_at),
        relations=relations_asked(searched),
        surveys=is_about_caller(query) and bool(wide_relations(searched)),
        relatives=relatives_asked_for(query),
        particulars=particulars_asked_for(query),
    )


def _pairs(query: str) -> frozenset[str]:
    said = matter_of(query)
    near = (said[at : at + 2] for at in range(len(said) - 1))
    return frozenset(
        pair for pair in near if _CJK_PAIR.fullmatch(pair) and _CJK_FUNCTION.isdisjoint(pair)
    )


def _strangers(query: str, scope: ScopeShape, absent: frozenset[str]) -> Sequence[str]:
    """The names in a question, if the scope knows none of them; a known one vouches for others."""
    speakers = {word for name in scope.names for word in name.lower().split()}
    if speakers & set(_WORD.findall(query.lower())):
        return ()
    names = names_in(without_dates(query))
    unknown = [name for name in names if set(tokens(name)) & absent]
    return unknown if len(unknown) == len(names) else ()
